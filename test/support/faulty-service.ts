import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach } from 'vitest';
import type { ApiKey } from '#shared/organizations/api-key';
import { putNewApiKey } from '#shared/organizations/api-key-store';
import { putNewOrganization } from '#shared/organizations/organization-store';
import { openTable, type Table } from '#shared/table/table-client';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import { launchDynamodb } from '../../infra/local/dynamodb.ts';
import {
  awsIdentity,
  functionEnvironment,
  secretIds,
  setEnvironment,
  tableName,
} from '../../infra/local/local-environment.ts';
import type { LocalServer } from '../../infra/local/local-server.ts';
import { createTable, synthesiseTable } from '../../infra/local/local-table.ts';
import { startMailbox } from '../../infra/local/mailbox.ts';
import { startSecrets } from '../../infra/local/secrets.ts';
import { startSesSimulator } from '../../infra/local/ses-simulator.ts';
import { buildApiKey } from './api-key-builder.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { clearInbox, type ReceivedEmail, readInbox } from './mailbox-inbox.ts';
import { buildOrganization } from './organization-builder.ts';
import { openProviderEventTap, type ProviderEventTap } from './provider-event-tap.ts';
import { createServiceCaller, type ServiceCaller } from './service-caller.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { startSilentQueue } from './silent-queue.ts';

/** The service over real HTTP, with a fault proxy between it and DynamoDB, and another before SES. */
export type FaultyService = {
  readonly dynamodb: FaultProxy;
  readonly ses: FaultProxy;
  /** The table past the proxy, as the test and the event intake see it. */
  readonly table: Table;
  readonly providerEvents: ProviderEventTap;
  /** What the mailbox took, in the order of arrival. */
  inbox(): Promise<readonly ReceivedEmail[]>;
  /** Resolves when SES has published every event of what it took. */
  settled(): Promise<void>;
  /** Hands every event that SES has published by now to the intake. */
  deliverProviderEvents(): Promise<void>;
  /** Stores an organization with one key, and answers a program that calls with it. */
  newCaller(settings?: CallerSettings): Promise<ServiceCaller>;
  /** Where the service is reached now; a restart moves it. */
  url(): string;
  kill(): Promise<void>;
  restart(): Promise<void>;
};

export type CallerSettings = {
  readonly apiKey?: Partial<Pick<ApiKey, 'scopes' | 'perMinuteCap'>>;
  /** Whether an endpoint wants every event, so that each is stored with its outbox row. */
  readonly hasWebhook?: boolean;
};

export type FaultySettings = {
  readonly doubtWindowSeconds?: number;
  readonly providerCallTimeoutMs?: number;
};

const topicArn = 'arn:aws:sns:us-east-1:000000000000:test-provider-events';

/**
 * Starts the service for all tests of a file. Before each test it runs, and faults, recorded requests,
 * emails and held events are none.
 *
 * By default a doubt lasts two seconds, and a call to SES is given up after one. A test that puts the
 * machine under load gives the calls more time.
 */
export async function useFaultyService(settings: FaultySettings = {}): Promise<FaultyService> {
  const running: LocalServer[] = [];
  const keep = <Server extends LocalServer>(server: Server): Server => {
    running.push(server);
    return server;
  };

  const launched = keep(await launchDynamodb());
  const [mailbox, queue, secrets, properties] = await Promise.all([
    startMailbox().then(keep),
    startSilentQueue().then(keep),
    startSecrets({ [secretIds.tokenSigningKey]: newSigningKey() }).then(keep),
    synthesiseTable(),
    launched.ready,
  ]);
  const providerEvents = openProviderEventTap(topicArn);
  const simulator = keep(
    await startSesSimulator({
      mailboxUrl: mailbox.url,
      publish: providerEvents.publish,
      reportDropped: () => {},
      delayMs: 0,
    }),
  );
  const dynamodb = keep(await startFaultProxy({ target: launched.url }));
  const ses = keep(await startFaultProxy({ target: simulator.url }));

  const environmentWith = (dynamodbUrl: string) => ({
    ...awsIdentity({}),
    ...functionEnvironment({
      endpoints: { dynamodb: dynamodbUrl, sesv2: ses.url, sqs: queue.url, s3: nowhere },
      secretsUrl: secrets.url,
      publicBaseUrl: 'https://email.example.com',
      providerEventsTopicArn: topicArn,
      quiet: true,
    }),
    WEBHOOK_QUEUE_URL: `${queue.url}/000000000000/deliveries`,
  });
  setEnvironment(environmentWith(launched.url));
  await createTable(launched.url, tableName, properties);
  const table = openTable(tableName);

  const start = () =>
    startServiceProcess({ ...environmentWith(dynamodb.url), ...timing(settings) });
  let service: ServiceProcess | undefined = await start();
  const kill = async () => {
    await service?.kill();
    service = undefined;
  };
  const restart = async () => {
    await kill();
    service = await start();
  };
  const baseUrl = () => {
    if (service === undefined) throw new Error('The service was killed and not started again');
    return service.url;
  };

  beforeEach(async () => {
    if (service === undefined) await restart();
    await simulator.settled();
    providerEvents.take();
    await clearInbox(mailbox.url);
    for (const proxy of [dynamodb, ses]) proxy.clear();
  });
  afterAll(async () => {
    await kill();
    for (const server of running.reverse()) await server.stop();
  });

  return {
    dynamodb,
    ses,
    table,
    providerEvents,
    inbox: () => readInbox(mailbox.url),
    settled: simulator.settled,
    deliverProviderEvents: async () => {
      await simulator.settled();
      await providerEvents.deliverAll();
    },
    newCaller: async (caller) => createServiceCaller(await seed(table, caller), baseUrl),
    url: baseUrl,
    kill,
    restart,
  };
}

/** Nothing listens there: sending needs no bucket. */
const nowhere = 'http://127.0.0.1:9';

const newSigningKey = (): string =>
  JSON.stringify({ current: 'k1', k1: randomBytes(32).toString('base64url') });

const timing = ({ doubtWindowSeconds = 2, providerCallTimeoutMs = 1_000 }: FaultySettings) => ({
  DOUBT_WINDOW_SECONDS: String(doubtWindowSeconds),
  PROVIDER_CALL_TIMEOUT_MS: String(providerCallTimeoutMs),
  PROVIDER_RETRY_BUDGET_MS: '1000',
});

async function seed(table: Table, { apiKey: key, hasWebhook = true }: CallerSettings = {}) {
  const id = newOrganizationId();
  const webhooks = hasWebhook ? { [newWebhookId(id)]: { eventTypes: [] } } : {};
  const organization = buildOrganization({ id, webhooks });
  const { text, apiKey } = buildApiKey({ organizationId: id, ...key });
  await Promise.all([putNewOrganization(table, organization), putNewApiKey(table, apiKey)]);
  return { organizationId: id, apiKey: text };
}
