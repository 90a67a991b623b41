import { putApiKey } from '#shared/access/api-key-store';
import { createRefusals } from '#shared/email/refusals';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import { noAttachments } from '#shared/sending/sending';
import type { Table } from '#shared/table/table-client';
import { base32Number } from '#shared/tokens/base32';
import {
  hasKeyedContacts,
  newWebhookId,
  type OrganizationId,
  organizationIdSchema,
} from '#shared/tokens/resource-id';
import { buildApiKey } from '../support/api-key-builder.ts';
import { buildKeyring } from '../support/keyring-builder.ts';
import { type Intercept, openMemoryTable } from '../support/memory-table/memory-table.ts';
import type { IsStale } from '../support/memory-table/reads.ts';
import { buildOrganization } from '../support/organization-builder.ts';
import { leaseMs } from '../support/send-builder.ts';
import { unexpected } from '../support/unexpected.ts';
import { nameOfCall } from './call-names.ts';
import { type Clients, openClients } from './clients.ts';
import type { Dice } from './dice.ts';
import { type EventQueue, openEventQueue } from './event-queue.ts';
import { type FaultPlan, type FaultSource, noFaults } from './faults.ts';
import { type Ledger, openLedger, type Taken } from './ledger.ts';
import { type Lurking, openLurking } from './lurking.ts';
import { start } from './plan.ts';
import { checkRowChange } from './row-changes.ts';
import { openSandboxHost, type Sandbox, type SandboxHost } from './sandbox.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { checkSendChange } from './send-changes.ts';
import { openSimulatedBucket } from './simulated-bucket.ts';
import { openSimulatedSes, type SesPlan } from './simulated-ses.ts';
import { openSimulatedTestProvider } from './simulated-test-provider.ts';
import { isTableAnswer } from './table-errors.ts';
import { openTableFeed, type TableFeed } from './table-feed.ts';
import { openTrace, type Trace } from './trace.ts';
import { openWorkers, type SendingOf, type Workers } from './workers.ts';

/** Opens the table that a schedule works on. */
export type TableOpener = (intercept: Intercept, isStale: IsStale) => Promise<Table> | Table;

export const inMemory: TableOpener = (intercept, isStale) =>
  openMemoryTable({ intercept, isStale }).table;

/** For an eventually consistent read by a process. */
const staleReads = 0.2;

export type WorldOptions = {
  readonly dice: Dice;
  /** The number of subscribed endpoints, each to all types. */
  readonly webhooks: number;
  readonly retentionDays: number;
  readonly openTable: TableOpener;
  readonly ses: SesPlan;
  readonly onTaken: (taken: Taken, world: World) => void;
  /** What goes wrong at workers, and how soon duplicate messages arrive. */
  readonly workerFaults?: FaultSource;
  readonly landmarks?: FaultPlan['landmarks'];
  readonly patienceMs?: number;
};

/** The service on a virtual clock, with its table, its clients, and a simulated SES. */
export type World = {
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  readonly lurking: Lurking;
  readonly trace: Trace;
  readonly ledger: Ledger;
  readonly table: Table;
  readonly feed: TableFeed;
  readonly organization: Organization;
  readonly clients: Clients;
  readonly queue: EventQueue;
  readonly workers: Workers;
};

export async function openWorld(options: WorldOptions): Promise<World> {
  const { dice } = options;
  const scheduler = createScheduler(start, dice);
  const { now } = scheduler;
  const trace = openTrace(now);
  const lurking = openLurking(scheduler, dice);
  const ledger = openLedger(trace.tell);
  const host = openSandboxHost({ scheduler, dice, lurking, trace, countFault: ledger.countFault });
  const organization = organizationWith(options.webhooks, dice);

  const feed = openTableFeed({
    table: () => table,
    now,
    onChange: (change) => {
      checkSendChange(change, ledger);
      checkRowChange(change, feed, organization, ledger);
    },
  });
  const isStale = () => host.current() !== undefined && dice.chance(staleReads);
  const table = await options.openTable(interceptBy(host, feed, ledger, now), isStale);
  const keys = {
    // Used a moment ago: no request notes it.
    real: buildApiKey({ organizationId: organization.id, lastUsedAt: start }),
    test: buildApiKey({ organizationId: organization.id, test: true, lastUsedAt: start }),
  };
  await putOrganization(table, organization);
  for (const { apiKey } of Object.values(keys)) await putApiKey(table, apiKey);

  const provider = openSimulatedSes({
    scheduler,
    dice,
    trace,
    ledger,
    plan: options.ses,
    onTaken: (taken) => options.onTaken(taken, world),
  });
  const testProviderOf = openSimulatedTestProvider({
    ...{ scheduler, trace, ledger },
    onTaken: (taken) => options.onTaken(taken, world),
  });
  const sending = openSending(table, options, now);
  const refusals = createRefusals();
  const sendingOf: SendingOf = (sandbox) => ({
    ...sending,
    wakeWebhooks: wakeQueue,
    email: {
      send: (...call) => provider.providerOf(host.current() ?? sandbox)(...call),
      sendTest: (...call) => testProviderOf(host.current() ?? sandbox)(...call),
      refusals,
    },
    contents: openSimulatedBucket(sandbox, ledger, now),
    wakeSenders: (sends) => workers.wake(sends),
  });
  const workers = openWorkers({
    ...{ host, scheduler, dice, trace, ledger, lurking, table, sendingOf },
    faults: options.workerFaults ?? noFaults,
    landmarks: options.landmarks ?? [leaseMs],
  });
  const wakeQueue = queueWaker(host);
  const clients = openClients({
    ...{
      host,
      scheduler,
      dice,
      trace,
      ledger,
      credentials: { real: keys.real.text, test: keys.test.text },
    },
    sendingOf,
  });
  const queue = openEventQueue({
    ...{ host, scheduler, lurking, ledger },
    recording: { table, now, sendRetentionDays: 90, wakeQueue },
  });
  const world: World = {
    ...{
      scheduler,
      dice,
      lurking,
      trace,
      ledger,
      table,
      feed,
      organization,
      clients,
      queue,
      workers,
    },
  };
  return world;
}

/** Its id comes from the dice, and so do its slots: these determine the order of sends by shards and jitter. */
const organizationWith = (webhooks: number, dice: Dice): Organization => {
  const id = organizationIdFrom(dice);
  const endpoints = Array.from({ length: webhooks }, () => newWebhookId(id));
  const subscriptions = endpoints.map((webhook) => [webhook, { eventTypes: [] }]);
  return buildOrganization({ id, webhooks: Object.fromEntries(subscriptions) });
};

function organizationIdFrom(dice: Dice): OrganizationId {
  const digits = Array.from({ length: 16 }, () => base32Number(dice.between(0, 31)).at(-1));
  const id = organizationIdSchema.parse(`org_${digits.join('')}`);
  return hasKeyedContacts(id) ? organizationIdFrom(dice) : id;
}

/** Emails are text only: text from HTML is loaded on first use, by an import that no clock controls. */
const openSending = (
  table: Table,
  { retentionDays, patienceMs = 3_600_000 }: WorldOptions,
  now: () => number,
) => {
  const keyring = buildKeyring();
  return {
    ...{ table, now, limitsOfDeployment: {} },
    settings: {
      baseUrl: 'https://mail-service.example.com',
      linkDomains: [],
      leaseMs,
      usesTenants: false,
      sendRetentionDays: retentionDays,
      patienceMs,
    },
    keyring: async () => keyring,
    attachments: noAttachments,
    keptContents: { put: unexpected('keptContents.put') },
  };
};

/** Like the service's own, it never throws. */
const queueWaker = (host: SandboxHost) => async (deliveries: readonly unknown[]) => {
  if (deliveries.length === 0) return;
  await host
    .current()
    ?.call('wake the queue', async () => {})
    .catch(() => {});
};

/** Each call of a process waits for its turns, and may go wrong. Each change is observed. */
const interceptBy =
  (host: SandboxHost, feed: TableFeed, ledger: Ledger, now: () => number): Intercept =>
  (call, run) => {
    const sandbox: Sandbox | undefined = host.current();
    const apply = async () => {
      ledger.tableCalls += 1;
      if (sandbox && call.operation === 'BatchGetItem') ledger.readAt.set(sandbox, now());
      try {
        const answer = await run();
        await host.outside(() => feed.observe(call, sandbox));
        return answer;
      } catch (error) {
        if (!isTableAnswer(error)) ledger.violate('the table answers', String(error));
        throw error;
      }
    };
    return sandbox ? sandbox.call(nameOfCall(call), apply) : apply();
  };
