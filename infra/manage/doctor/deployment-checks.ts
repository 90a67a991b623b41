import { problemsOf } from '#shared/domains/account-state';
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
import type { Deployment } from '../target.ts';
import { counted, type Finding, look, ok, problem } from './finding.ts';

/** What AWS says about the deployment. */
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
  const problems = problemsOf(await readSendingAccount(account));
  if (problems.length === 0) return [ok('account', `SES sends in ${account.region}, to anyone`)];
  return problems.map(({ code, message, wayOut }) =>
    problem(code === 'sandbox' ? 'sandbox' : 'account', message, wayOut),
  );
}

/** How the stack names its dead-letter queues. */
export const deadLetterQueueName = /DeadLetters|GivenUp/;

/** Queues that should be empty. infra/README.md says what to do about each. */
async function checkQueues(
  account: AwsAccount,
  resources: readonly StackResource[],
): Promise<readonly Finding[]> {
  const queues = resources.filter(
    ({ type, logicalId }) => type === 'AWS::SQS::Queue' && deadLetterQueueName.test(logicalId),
  );
  const urls = queues.map(({ physicalId }) => physicalId);
  const counts = await countWaiting(account, urls);
  const todo = 'See "Dead letters" in infra/README.md.';
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

/** Whether the signing key can be read and no rotation is unfinished. */
export async function checkSigningKey(secret: VersionedSecret): Promise<readonly Finding[]> {
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
    problem(
      'tokens',
      `${added} was added but does not sign yet`,
      'npm run manage -- signing-key rotate',
    ),
  ];
}
