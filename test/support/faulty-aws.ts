import { randomBytes } from 'node:crypto';
import { launchDynamodb } from '../../infra/local/dynamodb.ts';
import {
  awsIdentity,
  functionEnvironment,
  secretIds,
  tableName,
} from '../../infra/local/local-environment.ts';
import type { LocalServer } from '../../infra/local/local-server.ts';
import { createTable, synthesiseTable } from '../../infra/local/local-table.ts';
import { startMailbox } from '../../infra/local/mailbox.ts';
import { startSecrets } from '../../infra/local/secrets.ts';
import { startSesSimulator } from '../../infra/local/ses-simulator.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { openProviderEventTap, type ProviderEventTap } from './provider-event-tap.ts';
import { startSilentQueue } from './silent-queue.ts';

/** What stands in for AWS, with a fault proxy each before DynamoDB, SES and SQS. */
export type FaultyAws = {
  readonly dynamodb: FaultProxy;
  readonly ses: FaultProxy;
  readonly sqs: FaultProxy;
  readonly mailboxUrl: string;
  readonly providerEvents: ProviderEventTap;
  /** Resolves when SES has published every event of what it took. */
  settled(): Promise<void>;
  /** For the functions that are to meet the faults. */
  readonly environment: Readonly<Record<string, string>>;
  /** For this process and the event intake: the same, past the proxy. */
  readonly directEnvironment: Readonly<Record<string, string>>;
  /** Creates the table, as soon as DynamoDB is there; needs the direct environment. */
  createTable(): Promise<void>;
  stop(): Promise<void>;
};

const topicArn = 'arn:aws:sns:us-east-1:000000000000:test-provider-events';

export async function startFaultyAws(): Promise<FaultyAws> {
  const running: LocalServer[] = [];
  const keep = <Server extends LocalServer>(server: Server): Server => {
    running.push(server);
    return server;
  };
  // The slowest: it boots while the others start.
  const table = keep(await launchDynamodb());
  const mailbox = keep(await startMailbox());
  const queue = keep(await startSilentQueue());
  const secrets = keep(await startSecrets({ [secretIds.tokenSigningKey]: newSigningKey() }));
  const providerEvents = openProviderEventTap(topicArn);
  const simulator = keep(
    await startSesSimulator({
      mailboxUrl: mailbox.url,
      publish: providerEvents.publish,
      reportDropped: () => {},
      delayMs: 0,
    }),
  );
  const dynamodb = keep(await startFaultProxy({ target: table.url }));
  const ses = keep(await startFaultProxy({ target: simulator.url }));
  const sqs = keep(await startFaultProxy({ target: queue.url }));

  const environmentWith = (dynamodbUrl: string) => ({
    ...awsIdentity({}),
    ...functionEnvironment({
      endpoints: { dynamodb: dynamodbUrl, sesv2: ses.url, sqs: sqs.url, s3: nowhere },
      secretsUrl: secrets.url,
      publicBaseUrl: 'https://email.example.com',
      providerEventsTopicArn: topicArn,
      quiet: true,
    }),
    WEBHOOK_QUEUE_URL: `${sqs.url}/000000000000/deliveries`,
  });
  return {
    dynamodb,
    ses,
    sqs,
    mailboxUrl: mailbox.url,
    providerEvents,
    settled: simulator.settled,
    environment: environmentWith(dynamodb.url),
    directEnvironment: environmentWith(table.url),
    createTable: async () => {
      const properties = await synthesiseTable();
      await table.ready;
      await createTable(table.url, tableName, properties);
    },
    stop: async () => {
      for (const server of running.toReversed()) await server.stop();
    },
  };
}

/** Nothing listens there: sending needs no bucket. */
const nowhere = 'http://127.0.0.1:9';

const newSigningKey = (): string =>
  JSON.stringify({ current: 'k1', k1: randomBytes(32).toString('base64url') });
