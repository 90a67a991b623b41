import { describe, expect, it } from 'vitest';
import { openDnsLookup } from '#shared/domains/dns-lookup';
import {
  checkDeployment,
  checkDnsRecords,
  checkSigningKey,
} from '../../../../infra/manage/doctor/deployment-checks.ts';
import { type AwsReplies, fakeAccount, outputsXml } from '../../../support/aws-account-builder.ts';
import { lookupOf } from '../../../support/dns-lookup-builder.ts';
import { manage } from '../../../support/manage-builder.ts';
import { alarms, sesAccount, soundStack, waiting } from '../../../support/stack-replies.ts';
import { unexpected } from '../../../support/unexpected.ts';

const ringing = alarms({
  AlarmName: 'EmailService-http5xx',
  AlarmDescription: 'Sends fail & wait.',
});
const denied = (message: string) => ({
  status: 400,
  body: { __type: 'com.amazonaws.example#AccessDenied', message },
});

/** What doctor finds where AWS answers these besides. */
const findingsWith = (replies: AwsReplies) =>
  checkDeployment({
    account: fakeAccount({ ...soundStack, ...replies }).account,
    stackName: 'EmailService',
  });

describe("doctor's AWS checks", () => {
  it('find no problem in a healthy deployment', async () => {
    const findings = await findingsWith({});

    expect(findings.map(({ check, state, says }) => [check, state, says])).toEqual([
      ['account', 'ok', 'SES sends in eu-west-1, to anyone'],
      ['price', 'ok', "SES's plan is pro: $0.22 for a thousand recipients, $105 a month"],
      ['queues', 'ok', 'nothing is waiting in 1 dead-letter queue'],
      ['alarms', 'ok', 'none of 1 is firing'],
    ]);
  });

  it('report the sandbox, dead letters and ringing alarms, each with a next step', async () => {
    const findings = await findingsWith({
      '/v2/email/account': sesAccount(false),
      GetQueueAttributes: waiting(3),
      DescribeAlarms: ringing,
    });

    expect(findings).toEqual([
      expect.objectContaining({
        check: 'sandbox',
        todo: expect.stringContaining('production access'),
      }),
      expect.objectContaining({ check: 'price', state: 'ok' }),
      {
        check: 'queues',
        state: 'problem',
        says: '3 messages in WebhookDeliveryDeadLettersQueue1',
        todo: 'See infra/RUNBOOK.md#dead-letters.',
      },
      {
        check: 'alarms',
        state: 'problem',
        says: 'EmailService-http5xx is firing',
        todo: 'Sends fail & wait.',
      },
    ]);
  });

  it('report unknown where AWS denies access', async () => {
    const findings = await findingsWith({
      '/v2/email/account': denied('not authorized to perform: ses:GetAccount'),
      GetQueueAttributes: denied('no'),
      DescribeAlarms: denied('not authorized to perform: cloudwatch:DescribeAlarms'),
    });

    const todo = 'Use a profile with the permissions that "Command line" in infra/README.md lists.';
    expect(findings).toEqual([
      {
        check: 'account',
        state: 'unknown',
        says: 'AWS refused: not authorized to perform: ses:GetAccount',
        todo,
      },
      { check: 'queues', state: 'unknown', says: 'AWS refused: no', todo },
      {
        check: 'alarms',
        state: 'unknown',
        says: 'AWS refused: not authorized to perform: cloudwatch:DescribeAlarms',
        todo,
      },
    ]);
  });
});

describe("doctor's DNS checks of a deployment's domain", () => {
  const host = 'links.shop.example';
  const target = 'd-abc.execute-api.eu-west-1.amazonaws.com';
  const record = `${host} CNAME ${target}`;
  const addressOfTarget = `${target}. A 192.0.2.1\n${target}. A 192.0.2.2`;
  const well = `${host} leads to the API`;

  it.each([
    [
      'its record',
      `${host}. CNAME D-ABC.execute-api.eu-west-1.amazonaws.com.`,
      'ok',
      well,
      undefined,
    ],
    ['an alias', `${host}. A 192.0.2.2\n${addressOfTarget}`, 'ok', well, undefined],
    ['nothing', '', 'problem', `${host} has no record`, `Add ${record}`],
    [
      'another target',
      `${host}. CNAME old.example.net.`,
      'problem',
      `${host} leads to old.example.net`,
      `Replace its record: ${record}`,
    ],
    [
      'its record under a name with the zone twice',
      `${host}.shop.example. CNAME ${target}.`,
      'problem',
      `the record for ${host} ended up at ${host}.shop.example`,
      'Your DNS provider appends the zone itself: name the record links.',
    ],
    [
      'other addresses',
      `${host}. A 198.51.100.7\n${addressOfTarget}`,
      'unknown',
      `${host} leads to 198.51.100.7, which may be a proxy, an alias or a mistake`,
      `Unless that's intended, set ${record}. A link domain can't be behind a proxy.`,
    ],
  ])('report %s', async (_, zoneFile, state, says, todo) => {
    const findings = await checkDnsRecords(record, await lookupOf(zoneFile));

    expect(findings).toEqual([{ check: 'dns', state, says, ...(todo !== undefined && { todo }) }]);
  });

  it('report each domain of the stack', async () => {
    const DnsRecords = `${record}, mail.example.com CNAME d-def.example.net`;
    const outputs = outputsXml({ BaseUrl: 'https://abc.example', DnsRecords });
    const { account } = fakeAccount({ ...soundStack, DescribeStacks: { body: outputs } });
    const lookup = await lookupOf('mail.example.com. CNAME d-def.example.net.');

    const { output } = await manage('doctor --stack Mail', {
      openAwsAccount: async () => account,
      openDnsLookup: () => lookup,
    });

    expect(output).toContain(`✗ dns: ${host} has no record\n    → Add ${record}\n`);
    expect(output).toContain('✓ dns: mail.example.com leads to the API\n');
  });

  it("report unknown when DNS doesn't answer", async () => {
    const silent = openDnsLookup('127.0.0.1:9', { timeout: 50, tries: 1 });

    const findings = await checkDnsRecords(record, silent);

    expect(findings).toMatchObject([{ check: 'dns', state: 'unknown', todo: 'Try again.' }]);
  });
});

describe("doctor's signing key check", () => {
  const secret = (text: string, versionId = 'by-hand') => ({
    read: async () => ({ text, versionId, createdAt: 0 }),
    write: unexpected('a change'),
  });
  const one = '1'.repeat(32);

  it.each([
    ['well', JSON.stringify({ current: 'k1', k1: one }), 'by-hand', 'ok', 'k1 signs, of 1 key'],
    [
      'half-way through a rotation',
      JSON.stringify({ current: 'k1', k1: one, k2: one }),
      'signing-key-add-k2-0123456789abcdef01234567',
      'problem',
      "k2 was added but doesn't sign yet",
    ],
    ['no JSON', 'hush', 'by-hand', 'problem', 'no function can read the signing key: sends fail'],
  ])('reports that it is %s', async (_, text, versionId, state, says) => {
    const findings = await checkSigningKey(secret(text, versionId), (next) => next);

    expect(findings).toEqual([expect.objectContaining({ check: 'tokens', state, says })]);
  });
});
