import { setTimeout } from 'node:timers/promises';
import { defineFunction } from '#shared/endpoints/background-function';
import { publishDuration } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import type { SendToWake } from '#shared/sending/later/send-queue';
import { lookAfterDoubt } from '#shared/sending/later/send-waiting';
import { type DueSend, dueSends } from '#shared/sending/later/waiting-store';
import { attend, openWaitingSending, sendsWaiting } from '#shared/sending/later/workers';
import { type DuePage, findDue, findDueOwners } from '#shared/table/due-index';
import { countAttempts, readDue, runDue } from '#shared/table/run-due';
import type { StoredItem, Table, TableAndClock } from '#shared/table/table-client';
import type { OrganizationId, SlotId } from '#shared/tokens/resource-id';

/** Finds sends that the queue lost or that are to be retried, and wakes the queue for those due soon. */
export const backgroundFunction = defineFunction(
  {
    trigger: 'schedule',
    uses: openWaitingSending,
    lambda: { ...sendsWaiting, queriesIndexes: ['gsi1'], timeoutSeconds: 90 },
  },
  ({ perSecond, ...sending }, log) => {
    const { table, now, wakeSenders } = sending;
    return runSendQueue(
      {
        table,
        now,
        wakeSenders,
        perSecond,
        wait: (ms) => setTimeout(ms, undefined, { ref: false }),
        lookLater: (slotId) => lookAfterDoubt(slotId, sending),
        attempt: (slotId, until) => attend({ slotId }, { ...sending, until }, log.part({})),
      },
      log,
    );
  },
);

type SendQueueRun = TableAndClock & {
  readonly wait: (ms: number) => Promise<unknown>;
  readonly wakeSenders: (sends: readonly SendToWake[]) => Promise<void>;
  /** Does nothing if the attempt can't begin until then. */
  readonly attempt: (slotId: SlotId, until: number) => Promise<unknown>;
  /** Has a worker look once the attempt that starts now is over. */
  readonly lookLater: (slotId: SlotId) => SendToWake;
  readonly perSecond: () => Promise<number>;
};

/**
 * A run starts attempts for this long, and those that still wait for their turn then end without: the others have the
 * rest of the function's time. The next run follows after a minute.
 */
export const workMs = 50_000;

/** Sends due before the next run looks get a message timed to when they're due. */
const soonMs = 75_000;
/** The next run sends the others, less than a minute late. */
const maxWoken = 1_000;

/** A few seconds' worth of turns, as attempts that wait for their turn have started too. */
const concurrencyAt = (perSecond: number): number =>
  Math.min(Math.max(Math.ceil(perSecond * 2), 2), 64);

/**
 * Organizations take turns. Every run publishes how late the oldest send was, even if nothing was due: the alarm goes
 * off when the figure is high or missing.
 *
 * @throws Error if it could make none of several attempts.
 */
export async function runSendQueue(
  { table, now, wait, wakeSenders, attempt, lookLater, perSecond }: SendQueueRun,
  log: RequestLog,
): Promise<void> {
  const startedAt = now();
  const deadline = startedAt + workMs;
  await wakeSenders(await findSoon(table, startedAt));

  const { due, latenessMs } = readDue(table, dueSends, startedAt);
  const concurrency = concurrencyAt(await perSecond());
  const count = countAttempts(startedAt);
  const attempts = runDue<OrganizationId, DueSend>(deadline, {
    now,
    due,
    concurrency,
    // Half, so that an organization whose sends take long leaves room for the others.
    shareOf: () => Math.ceil(concurrency / 2),
    attempt: async (due) => {
      const { id } = due;
      // If this process dies, a worker cleans up after the attempt.
      await wakeSenders([lookLater(id)]);
      try {
        await attempt(id, deadline);
        count.made();
      } catch (error) {
        count.failed(due);
        log.error('due send not attempted', error);
      }
    },
  });
  // A run whose last attempts outlast the function has run all the same.
  await Promise.race([attempts, wait(deadline - now())]);
  publishDuration('SendOldestDueLateness', latenessMs());
  await attempts;
  count.requireAnyMade('no due send could be attempted');
}

async function findSoon(table: Table, now: number): Promise<SendToWake[]> {
  const found: DueSend[] = [];
  for (let shard = 0; shard < dueSends.shards; shard += 1) {
    let after: OrganizationId | undefined;
    do {
      const { firstPages, next } = await findDueOwners(table, dueSends, shard, now + soonMs, after);
      for (const { owner, page } of firstPages) {
        found.push(...page.entries);
        let more: StoredItem | undefined = page.next;
        while (more !== undefined && found.length < maxWoken) {
          const further: DuePage<DueSend> = await findDue(
            table,
            dueSends,
            shard,
            owner,
            now + soonMs,
            more,
          );
          found.push(...further.entries);
          more = further.next;
        }
      }
      after = next;
    } while (after !== undefined && found.length < maxWoken);
  }
  return found
    .filter(({ dueAt }) => dueAt > now)
    .map(({ id: slotId, dueAt }) => ({ slotId, delayMs: dueAt - now }));
}
