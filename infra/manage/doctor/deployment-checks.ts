import { planNames, wordsOfPlan } from '#shared/config/ses-prices';
import { problemsOf } from '#shared/domains/account-state';
import type { DnsLookup } from '#shared/domains/dns-lookup';
import { type DnsAnswer, relativeTo } from '#shared/domains/dns-records';
import { keyringSecretSchema } from '#shared/tokens/signed-token';
import type { AwsAccount } from '../aws/aws-account.ts';
import {
  countWaiting,
  listRingingAlarms,
  listStackResources,
  readSendingAccount,
  type StackResource,
} from '../aws/deployment.ts';
import type { VersionedSecret } from '../aws/secrets.ts';
import { addedKeyOf } from '../signing-key-rotation.ts';
import type { Suggest } from '../suggestion.ts';
import type { Deployment } from '../target.ts';
import { counted, type Finding, look, ok, problem, unknown } from './finding.ts';

export async function checkDeployment({
  account,
  stackName,
}: Deployment): Promise<readonly Finding[]> {
  const checks = [
    look('account', () => checkAccount(account)),
    look('stack', async () => {
      const resources = await listStackResources(account, stackName);
      return [
        ...(await look('queues', () => checkQueues(account, resources))),
        ...(await look('alarms', () => checkAlarms(account, resources))),
      ];
    }),
  ];
  return (await Promise.all(checks)).flat();
}

async function checkAccount(account: AwsAccount): Promise<readonly Finding[]> {
  const { pricePlan = '', ...sending } = await readSendingAccount(account);
  const plan = planNames[pricePlan];
  const paid = plan === undefined ? [] : [ok('price', `SES's plan is ${wordsOfPlan(plan)}`)];
  const problems = problemsOf(sending);
  if (problems.length === 0) {
    return [ok('account', `SES sends in ${account.region}, to anyone`), ...paid];
  }
  const found = problems.map(({ code, message, wayOut }) =>
    problem(code === 'sandbox' ? 'sandbox' : 'account', message, wayOut),
  );
  return [...found, ...paid];
}

/** As the stack names them. */
export const deadLetterQueueName = /DeadLetters|GivenUp/;

async function checkQueues(
  account: AwsAccount,
  resources: readonly StackResource[],
): Promise<readonly Finding[]> {
  const queues = resources.filter(
    ({ type, logicalId }) => type === 'AWS::SQS::Queue' && deadLetterQueueName.test(logicalId),
  );
  const urls = queues.map(({ physicalId }) => physicalId);
  const counts = await countWaiting(account, urls);
  const todo = 'See infra/RUNBOOK.md#dead-letters.';
  const problems = queues.flatMap(({ logicalId }, index) => {
    const waiting = counts[index] ?? 0;
    return waiting === 0
      ? []
      : [problem('queues', `${counted(waiting, 'message')} in ${logicalId}`, todo)];
  });
  return problems.length === 0
    ? [ok('queues', `nothing is waiting in ${counted(queues.length, 'dead-letter queue')}`)]
    : problems;
}

async function checkAlarms(
  account: AwsAccount,
  resources: readonly StackResource[],
): Promise<readonly Finding[]> {
  const alarms = resources.filter(({ type }) => type === 'AWS::CloudWatch::Alarm');
  const ringing = await listRingingAlarms(
    account,
    alarms.map(({ physicalId }) => physicalId),
  );
  if (ringing.length === 0) return [ok('alarms', `none of ${alarms.length} is firing`)];
  return ringing.map(({ name, description }) =>
    problem('alarms', `${name} is firing`, description),
  );
}

type Lookup = Pick<DnsLookup, 'sight' | 'zoneOf'>;

/** For domains outside the stack's own zones: "host CNAME target, …". */
export const checkDnsRecords = (records: string, dns: Lookup): Promise<readonly Finding[]> =>
  Promise.all(records.split(', ').map((record) => checkDnsRecord(record, dns)));

async function checkDnsRecord(record: string, dns: Lookup): Promise<Finding> {
  const [host = '', target = ''] = record.split(' CNAME ');
  const zone = await dns.zoneOf(host);
  const at = (name: string) => dns.sight({ type: 'CNAME', name }, zone);
  const [{ own, underDoubledName, addresses }, { addresses: targetAddresses }] = await Promise.all([
    at(host),
    at(target),
  ]);
  // An alias record, which a zone's own name needs, only shows through its addresses.
  if (haveCommon(own, [target]) || haveCommon(addresses, targetAddresses)) {
    return ok('dns', `${host} leads to the API`);
  }
  if (own === 'unanswered' || addresses === 'unanswered') {
    return unknown('dns', `DNS didn't answer for ${host}`, 'Try again.');
  }
  if (haveCommon(underDoubledName, [target])) {
    const todo = `Your DNS provider appends the zone itself: name the record ${relativeTo(zone, host)}.`;
    return problem('dns', `the record for ${host} ended up at ${host}.${zone}`, todo);
  }
  if (own.length > 0) {
    return problem('dns', `${host} leads to ${own.join(' ')}`, `Replace its record: ${record}`);
  }
  if (addresses.length === 0) return problem('dns', `${host} has no record`, `Add ${record}`);
  return unknown(
    'dns',
    `${host} leads to ${addresses.join(' ')}, which may be a proxy, an alias or a mistake`,
    `Unless that's intended, set ${record}. A link domain can't be behind a proxy.`,
  );
}

const haveCommon = (answer: DnsAnswer, expected: DnsAnswer): boolean =>
  answer !== 'unanswered' &&
  expected !== 'unanswered' &&
  answer.some((value) => expected.includes(value.toLowerCase()));

/** The key must be readable, with no unfinished rotation. */
export async function checkSigningKey(
  secret: VersionedSecret,
  suggest: Suggest,
): Promise<readonly Finding[]> {
  const version = await secret.read();
  const keyring = keyringSecretSchema.safeParse(version.text);
  if (!keyring.success) {
    const todo =
      'Restore the previous version of the secret: see "Rotate the signing key" in infra/README.md.';
    return [problem('tokens', 'no function can read the signing key: sends fail', todo)];
  }
  const { current, previous } = keyring.data;
  const names: Record<string, string> = JSON.parse(version.text);
  const added = addedKeyOf(version, names);
  if (added === undefined)
    return [ok('tokens', `${current.id} signs, of ${counted(previous.length + 1, 'key')}`)];
  return [
    problem('tokens', `${added} was added but doesn't sign yet`, suggest('signing-key rotate')),
  ];
}
