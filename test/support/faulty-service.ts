import { afterAll, beforeEach } from 'vitest';
import type { ApiKey } from '#shared/access/api-key';
import { putApiKey } from '#shared/access/api-key-store';
import type { GivenLimits } from '#shared/organizations/limits-in-force';
import { putOrganization } from '#shared/organizations/organization-store';

import { openTable, type Table } from '#shared/table/table-client';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import { setEnvironment, tableName } from '../../infra/local/environment.ts';
import type { SesAccountSimulation } from '../../infra/local/ses/account.ts';
import { buildApiKey } from './api-key-builder.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { startFaultyAws } from './faulty-aws.ts';
import { clearInbox, type ReceivedEmail, readInbox } from './mailbox-inbox.ts';
import { buildOrganization } from './organization-builder.ts';
import { ownDatabase } from './own-database.ts';
import type { ProviderEventTap } from './provider-event-tap.ts';
import { createServiceCaller, type ServiceCaller } from './service-caller.ts';
import { startRestartableService } from './service-process.ts';

/** The service over real HTTP, with a fault proxy between it and DynamoDB, and another before SES. */
export type FaultyService = {
  readonly dynamodb: FaultProxy;
  readonly ses: FaultProxy;
  /** The table past the proxy, as the test and the event intake see it. */
  readonly table: Table;
  readonly providerEvents: ProviderEventTap;
  /** SES's identities and tenants, and the DNS that it looks into. */
  readonly account: SesAccountSimulation;
  /** Signs the tokens of its links. */
  readonly keyring: Keyring;
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
  /** Lets time pass for the service and for this process: their clocks go on by so many milliseconds. */
  pass(milliseconds: number): Promise<void>;
};

export type CallerSettings = {
  readonly apiKey?: Partial<Pick<ApiKey, 'scopes' | 'perMinuteCap' | 'dailyCap' | 'lastUsedAt'>>;
  /** Whether an endpoint wants every event, so that each is stored with its delivery. */
  readonly hasWebhook?: boolean;
  /** What the operator has set for the organization. */
  readonly limits?: GivenLimits;
};

export type FaultySettings = {
  /** Whether the table has its stream. */
  readonly hasStream?: boolean;
  readonly doubtWindowSeconds?: number;
  readonly providerCallTimeoutMs?: number;
};

/**
 * Starts the service for all tests of a file. Before each test it runs, and faults, recorded requests,
 * emails and held events are none.
 *
 * A doubt ends, and a call to SES is given up, long after the busiest machine would be done: `pass` puts the
 * clock forward, and a test of the timeout itself shortens it.
 */
export async function useFaultyService(settings: FaultySettings = {}): Promise<FaultyService> {
  const aws = await startFaultyAws(ownDatabase());
  const restoreEnvironment = setEnvironment(aws.directEnvironment);
  const [process] = await Promise.all([
    startRestartableService({ ...aws.environment, ...timing(settings) }),
    aws.createTable(settings),
  ]);
  const table = openTable(tableName);
  const clock = Date.now;
  let aheadMs = 0;

  beforeEach(async () => {
    if (!process.isRunning()) await process.restart();
    await aws.settled();
    aws.providerEvents.take();
    await clearInbox(aws.mailboxUrl);
    for (const proxy of [aws.dynamodb, aws.ses, aws.sqs]) proxy.clear();
  });
  afterAll(async () => {
    await process.kill();
    await aws.stop();
    restoreEnvironment();
    Date.now = clock;
  });

  return {
    ...aws,
    ...process,
    table,
    inbox: () => readInbox(aws.mailboxUrl),
    deliverProviderEvents: async () => {
      await aws.settled();
      await aws.providerEvents.deliverAll();
    },
    pass: async (milliseconds) => {
      aheadMs += milliseconds;
      Date.now = () => clock() + aheadMs;
      await process.putClockAhead(aheadMs);
    },
    newCaller: async (caller) => createServiceCaller(await seed(table, caller), process.url),
  };
}

const timing = ({ doubtWindowSeconds = 60, providerCallTimeoutMs = 30_000 }: FaultySettings) => ({
  DOUBT_WINDOW_SECONDS: String(doubtWindowSeconds),
  PROVIDER_CALL_TIMEOUT_MS: String(providerCallTimeoutMs),
  PROVIDER_RETRY_BUDGET_MS: '5000',
});

async function seed(table: Table, { apiKey: key, hasWebhook = true, limits }: CallerSettings = {}) {
  const id = newOrganizationId();
  const webhooks = hasWebhook ? { [newWebhookId(id)]: { eventTypes: [] } } : {};
  const organization = buildOrganization({ id, webhooks, ...(limits && { limits }) });
  // A key in daily use: its last use was noted within the hour.
  const lastUsedAt = Date.now();
  const { text, apiKey } = buildApiKey({ organizationId: id, lastUsedAt, ...key });
  await Promise.all([putOrganization(table, organization), putApiKey(table, apiKey)]);
  return { organizationId: id, apiKey: text };
}
