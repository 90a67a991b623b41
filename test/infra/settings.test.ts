import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { afterAll, describe, expect, it } from 'vitest';
import { serviceSettings } from '../../infra/settings/declaration.ts';
import { readDeployment } from '../../infra/settings/read-deployment.ts';
import { checkSettings, settings } from '../../infra/settings/settings.ts';
import { createApp, settings as everySetting } from './synthesised-stack.ts';

const stages = mkdtempSync(join(tmpdir(), 'stages-'));
afterAll(() => rmSync(stages, { recursive: true }));

const read = (context: Record<string, unknown>) => readDeployment(createApp(context), stages);

const writeStage = (name: string, file: unknown) =>
  writeFileSync(
    join(stages, `${name}.json`),
    typeof file === 'string' ? file : JSON.stringify(file),
  );

const keyArn = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const secretArn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:entitlements-AbCdEf';

const refusals = (
  settingsOf: (value: string) => Record<string, unknown>,
  values: readonly string[],
  line: string,
): [Record<string, unknown>, string][] => values.map((value) => [settingsOf(value), line]);

describe('settings', () => {
  it('are all optional', () => {
    expect(read({})).toEqual({
      stackName: 'EmailService',
      settings: {
        doubtWindowSeconds: 300,
        sendRetentionDays: 90,
        attachmentsMaxCount: 5,
        attachmentsMaxTotalMb: 10,
        sendPatienceSeconds: 3_600,
        webhookMaxAttempts: 5,
        webhooksPerSecondAndHost: 200,
        logLevel: 'INFO',
        logRetentionDays: 30,
        lambdaConcurrency: 10,
        sesTenants: false,
        sesPricePlan: 'essentials',
        preferencesByAddress: true,
        consoleKeySignIn: true,
        proxiesInFront: 0,
        linkDomains: [],
        operators: [],
        formerEncryptionKeyArns: [],
        gradualDeployment: false,
        tracing: false,
      },
    });
  });

  it('have examples that are valid together and differ from the defaults', () => {
    const defaults = settings();

    const examples = settings(everySetting);

    for (const name of serviceSettings.keyof().options) {
      expect(examples[name], name).toBeDefined();
      expect(examples[name], name).not.toEqual(defaults[name]);
    }
  });

  it('are parsed from the text of the command line', () => {
    const context = {
      doubtWindowSeconds: '600',
      logRetentionDays: '90',
      logLevel: 'DEBUG',
      sesTenants: 'true',
      organizationLimits: '{"recipientsPerDay": 50000}',
      alarmEmail: '["one@example.com", "two@example.com"]',
    };

    expect(read(context).settings).toMatchObject({
      doubtWindowSeconds: 600,
      logRetentionDays: 90,
      logLevel: 'DEBUG',
      sesTenants: true,
      organizationLimits: { recipientsPerDay: 50_000 },
      alarmEmail: ['one@example.com', 'two@example.com'],
    });
  });

  it.each([
    [
      { organizationLimits: { apiKey: 5 } },
      'organizationLimits has no "apiKey": write {"apiKeys":30}, for example.',
    ],
    [
      { organizationLimits: { webhooks: 21 } },
      'organizationLimits.webhooks is 21, but takes at most 20: write',
    ],
    [
      { organizationLimits: 'many' },
      'organizationLimits is "many", but takes an object, as JSON: write',
    ],
    [
      { doubtWindowSeconds: 'soon' },
      'doubtWindowSeconds is "soon", but takes a number: write 120, for example.',
    ],
    [
      { doubtWindowSeconds: 38 },
      'must exceed the 38 s that a send and its SES call may take: write 300.',
    ],
    [{ doubtWindowSeconds: 43_201 }, 'doubtWindowSeconds is 43201, but takes at most 43200'],
    [
      { sendRetentionDays: 0 },
      'sendRetentionDays is 0, but takes more than 0: write 30, for example.',
    ],
    [{ sendRetentionDays: 1.5 }, 'sendRetentionDays is 1.5, but takes a whole number'],
    [{ sendRetentionDays: 1, sendPatienceSeconds: 86_400 }, 'must be less than sendRetentionDays'],
    [
      { sendPatienceSeconds: 604_801 },
      'sendPatienceSeconds is 604801, but takes at most 604800: write 7200, for example.',
    ],
    [
      { webhookMaxAttempts: 101 },
      'webhookMaxAttempts is 101, but takes at most 100: write 8, for example.',
    ],
    [{ logRetentionDays: 31 }, 'logRetentionDays is 31, but takes one of 1, 3, 5, 7,'],
    [{ logLevel: 'LOUD' }, 'logLevel is "LOUD", but takes one of DEBUG, INFO, WARN, ERROR'],
    [
      { alarmEmail: 'on-call' },
      'alarmEmail is "on-call", but takes an email address: write ["on-call@',
    ],
    [{ apiBurst: 0 }, 'apiBurst is 0, but takes more than 0'],
    [{ attachmentsMaxTotalMb: 26 }, 'attachmentsMaxTotalMb is 26, but takes at most 25'],
    ...refusals(
      (entitlementsUrl) => ({ entitlementsUrl }),
      [
        'entitlements',
        'http://a.example/check',
        'https://ann:pw@a.example',
        'https://a.example/#b',
      ],
      'but takes an https:// address without a fragment or credentials: write',
    ),
    [{ entitlementsUrl: 'https://a.example' }, 'entitlementsUrl needs an entitlementsSecretArn'],
    [{ entitlementsSecretArn: secretArn }, 'entitlementsSecretArn needs an entitlementsUrl'],
    ...refusals(
      (arn) => ({ entitlementsUrl: 'https://a.example', entitlementsSecretArn: arn }),
      // Not complete; of another service.
      [secretArn.replace('-AbCdEf', ''), keyArn],
      'takes the ARN of a Secrets Manager secret, including',
    ),
    ...refusals(
      (publicBaseUrl) => ({ publicBaseUrl }),
      [
        'mail.example.com',
        'http://mail.example.com',
        'https://',
        'https://ann:pw@mail.example.com',
        'https://mail.example.com/service',
        'https://mail.example.com/?',
        'https://mail.example.com?a=1',
        'https://mail.example.com#a',
      ],
      'but takes an https:// address without a path, query, fragment or credentials: write',
    ),
    [
      {
        publicBaseUrl: 'https://m.example.com',
        linkDomains: [{ name: 'm.example.com', hostedZoneId: 'Z1' }],
      },
      'publicBaseUrl leads to m.example.com, which is in linkDomains',
    ],
    [{ proxiesInFront: 4 }, 'proxiesInFront is 4, but takes at most 3: write 1, for example.'],
    [
      { domain: { name: 'mail.example.com' } },
      'takes a lowercase hostname as "name", with a "certificateArn"',
    ],
    [
      { domain: { name: 'https://mail.example.com', hostedZoneId: 'Z1' } },
      'domain.name is "https://mail.example.com", but takes a lowercase hostname',
    ],
    [
      { domain: { name: 'm.example.com', hostedZoneId: 'Z1', certificateArn: 'arn:aws:x' } },
      'takes a lowercase hostname',
    ],
    [
      { operators: ['Ops@example.com'], noticeFromEmail: 'notices@example.com' },
      'operators.0 is "Ops@example.com", but takes an email address in lower case: write ["ops',
    ],
    [
      { operators: ['ops@example.com'] },
      'operators needs a noticeFromEmail: the links that they sign in with come from it.',
    ],
    [
      { linkDomains: 'links.example.com' },
      'linkDomains is "links.example.com", but takes a list, as JSON: write [',
    ],
    [
      {
        domain: { name: 'm.example.com', hostedZoneId: 'Z1' },
        linkDomains: [{ name: 'm.example.com', hostedZoneId: 'Z1' }],
      },
      'm.example.com is both domain and in linkDomains',
    ],
    [
      { linkDomains: Array(2).fill({ name: 'm.example.com', hostedZoneId: 'Z1' }) },
      'm.example.com is in linkDomains twice',
    ],
    ...refusals(
      (encryptionKeyArn) => ({ encryptionKeyArn }),
      ['alias/mine', keyArn.replace(/key\/.*/, 'alias/mine'), secretArn],
      'takes the ARN of a KMS key (not an alias): write "arn:',
    ),
    [
      { formerEncryptionKeyArns: [keyArn, 'alias/mine'] },
      'formerEncryptionKeyArns.1 is "alias/mine", but takes the ARN of a KMS key (not an alias)',
    ],
    [
      { domain: { name: 'm.example.com', certificateArn: keyArn } },
      'but takes the ARN of an ACM certificate: write',
    ],
    [{ sesPricePlan: 'free' }, 'takes one of essentials, pro, enterprise, a_la_carte'],
    [{ lambdaConcurrency: 9 }, 'lambdaConcurrency is 9, but takes at least 10: write 1000'],
    [{ reservedForSending: 1 }, 'reserve 3 in total'],
    [{ sesTenants: 'perhaps' }, 'sesTenants is "perhaps", but takes true or false: write true'],
    [{ sesSuppresses: 'everybody' }, 'takes one of nobody, bounces, bounces_and_complaints'],
    [
      { doubtWindowSecond: 600 },
      '"doubtWindowSecond" isn\'t a setting: did you mean "doubtWindowSeconds"?',
    ],
    [{ SESTenants: true }, '"SESTenants" isn\'t a setting: did you mean "sesTenants"?'],
    [{ colour: 'blue' }, '"colour" isn\'t a setting. See infra/README.md for the list.'],
  ])('reject %j in one line', (values, line) => {
    expect(() => checkSettings(values)).toThrow(line);
    expect(() => checkSettings(values)).toThrow(/^✖ .+$/);
    expect(() => read(values)).toThrow(line);
  });

  it.each([
    { publicBaseUrl: 'https://mail.example.com/' },
    { encryptionKeyArn: 'arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/mrk-1234abcd' },
    {
      entitlementsUrl: 'https://a.example/check?by=us',
      entitlementsSecretArn:
        'arn:aws-eusc:secretsmanager:eusc-de-east-1:123456789012:secret:team/a-AbCdEf',
    },
  ])('accept %j', (values) => {
    expect(settings(values)).toMatchObject(values);
  });

  it('accept an unresolved ARN of a resource in the app', () => {
    const encryptionKeyArn = new Key(new Stack(createApp()), 'Key').keyArn;

    expect(settings({ encryptionKeyArn })).toMatchObject({ encryptionKeyArn });
  });

  it('report all faults at once', () => {
    const values = { lambdaConcurrency: 9, logLevel: 'LOUD' };

    expect(() => checkSettings(values)).toThrow(/^✖ .*LOUD.*\n✖ .*is 9.*$/);
  });

  it("ignore CDK's own context", () => {
    const context = { 'cli-telemetry': false, 'hosted-zone:account=1:domainName=x': {} };

    expect(() => read(context)).not.toThrow();
  });
});

describe('the settings of a stage', () => {
  it('come from its file, and its stack is named after it', () => {
    writeStage('staging', { lambdaConcurrency: 100, logLevel: 'DEBUG' });

    const { stackName, settings: itsSettings } = read({ stage: 'staging', sesTenants: 'true' });

    expect(stackName).toBe('EmailService-staging');
    expect(itsSettings).toMatchObject({
      lambdaConcurrency: 100,
      logLevel: 'DEBUG',
      sesTenants: true,
    });
  });

  it("can set the stack's name", () => {
    writeStage('production', { stackName: 'EmailService' });

    expect(read({ stage: 'production' }).stackName).toBe('EmailService');
  });

  it.each([
    ['gone', undefined, /^✖ stages\/gone.json doesn't exist\. Existing stages: .*staging/],
    ['../staging', undefined, /^✖ stage is "\.\.\/staging", but takes a name of lowercase letters/],
    ['broken', '{"logLevel": }', /^✖ stages\/broken.json isn't JSON: .+$/],
    ['list', [], /^✖ stages\/list.json must be a JSON object of settings\.$/],
    ['misspelt', { loglevel: 'INFO' }, /^✖ "loglevel" isn't a setting: did you mean "logLevel"\?$/],
    ['named', { stage: 'other' }, /^✖ stages\/named.json can't set "stage"/],
    ['text', { lambdaConcurrency: '100' }, /^✖ lambdaConcurrency is "100", but takes a number/],
    [
      'malformed',
      { stackName: '2nd' },
      /^✖ stackName is "2nd", but takes a valid CloudFormation stack name/,
    ],
  ])('fail the synthesis of %s with one line', (stage, file, line) => {
    if (file !== undefined) writeStage(stage, file);

    expect(() => read({ stage })).toThrow(line);
  });

  it('are rejected if the context has them too', () => {
    writeStage('twice', { logLevel: 'WARN' });

    expect(() => read({ stage: 'twice', logLevel: 'INFO' })).toThrow(
      /^✖ logLevel is both in stages\/twice.json and in the context .+: keep it in the file only\.$/,
    );
  });
});
