import { randomBytes } from 'node:crypto';
import { type Keyring, keyringSecretSchema } from '#shared/tokens/signed-token';
import { startDnsServer } from '../../infra/local/dns/server.ts';
import { functionEnvironment, secretIds } from '../../infra/local/environment.ts';
import { createAttachmentsBucket, startQueues } from '../../infra/local/queues/queues.ts';
import { startSecrets } from '../../infra/local/secrets.ts';
import type { LocalServer } from '../../infra/local/server.ts';
import type { SesAccountSimulation } from '../../infra/local/ses/account.ts';
import { startMailbox, startSesServer } from '../../infra/local/ses/ses-server.ts';
import { startBucketServer } from './bucket-server.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import type { Database } from './own-database.ts';
import { openProviderEventTap, type ProviderEventTap } from './provider-event-tap.ts';
import { startSilentQueue } from './silent-queue.ts';

/** What stands in for AWS, with a fault proxy each before DynamoDB, SES and SQS. */
export type FaultyAws = {
  readonly dynamodb: FaultProxy;
  readonly ses: FaultProxy;
  readonly sqs: FaultProxy;
  readonly mailboxUrl: string;
  readonly providerEvents: ProviderEventTap;
  /** SES's identities and tenants, and the DNS that it looks into. */
  readonly account: SesAccountSimulation;
  /** Resolves when SES has published every event of what it took. */
  settled(): Promise<void>;
  /** For the functions that are to meet the faults. */
  readonly environment: Readonly<Record<string, string>>;
  /** For this process and the event intake: the same, past the proxy. */
  readonly directEnvironment: Readonly<Record<string, string>>;
  /** Signs the tokens of links. */
  readonly keyring: Keyring;
  /** Needs the direct environment. */
  readonly createTable: Database['createTable'];
  stop(): Promise<void>;
};

/** What the operator, and the schedule, show of every deployment that a test starts. */
export const operatorSecret = 'the-operator-secret';
const cronSecret = 'the-cron-secret';

const topicArn = 'arn:aws:sns:us-east-1:000000000000:test-provider-events';

export async function startFaultyAws(
  database: Database,
  signingKey = newSigningKey(),
): Promise<FaultyAws> {
  const running: LocalServer[] = [];
  const keep = <Server extends LocalServer>(server: Server): Server => {
    running.push(server);
    return server;
  };
  const mailbox = keep(await startMailbox());
  const queue = keep(await startSilentQueue());
  const s3 = keep(await startQueues());
  await createAttachmentsBucket(s3.url);
  const secrets = keep(
    await startSecrets({
      [secretIds.tokenSigningKey]: signingKey,
      [secretIds.operatorSecret]: operatorSecret,
      [secretIds.cronSecret]: cronSecret,
      [secretIds.oidcSecret]: 'the-oidc-secret',
    }),
  );
  const providerEvents = openProviderEventTap(topicArn);
  const simulator = keep(
    await startSesServer({
      mailboxUrl: mailbox.url,
      publish: providerEvents.publish,
      reportDropped: () => {},
      delayMs: 0,
    }),
  );
  const bucket = keep(await startBucketServer());
  const dns = await startDnsServer(simulator.account.dns);
  const dynamodb = keep(await startFaultProxy({ target: database.url }));
  const ses = keep(await startFaultProxy({ target: simulator.url }));
  const sqs = keep(await startFaultProxy({ target: queue.url }));

  const environmentWith = (dynamodbUrl: string) => ({
    ...database.environment,
    ...functionEnvironment({
      endpoints: { dynamodb: dynamodbUrl, sesv2: ses.url, sqs: sqs.url, s3: bucket.url },
      secretsUrl: secrets.url,
      publicBaseUrl: 'https://email.example.com',
      providerEventsTopicArn: topicArn,
      dnsServer: dns.address,
      builtFilesFolder: '/nowhere',
      quiet: true,
    }),
    WEBHOOK_QUEUE_URL: `${sqs.url}/000000000000/deliveries`,
    SEND_QUEUE_URL: `${sqs.url}/000000000000/sends`,
    PROVIDER_EVENT_RETRY_QUEUE_URL: `${sqs.url}/000000000000/event-retries`,
    TEST_EVENT_QUEUE_URL: `${sqs.url}/000000000000/test-events`,
  });
  return {
    dynamodb,
    ses,
    sqs,
    mailboxUrl: mailbox.url,
    providerEvents,
    account: simulator.account,
    keyring: keyringSecretSchema.parse(signingKey),
    settled: simulator.settled,
    environment: environmentWith(dynamodb.url),
    directEnvironment: environmentWith(database.url),
    createTable: database.createTable,
    stop: async () => {
      for (const server of running.toReversed()) await server.stop();
      await dns.stop();
    },
  };
}

const newSigningKey = (): string =>
  JSON.stringify({ current: 'k1', k1: randomBytes(32).toString('base64url') });
