import type { NoticeFiling } from '#shared/notices/notice-filing';
import { isRefusedForGood } from '#shared/table/condition-failure';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import type { KeyDayStore } from '#shared/usage/key-day-store';
import { type KeyDayTally, tallyKeyDays } from '#shared/usage/key-day-tally';
import { keysToLookAt, spikeNotice } from '#shared/usage/key-spikes';
import { rateNotices } from '#shared/usage/rate-notices';
import { readStreamRecord } from '#shared/usage/stream-record';
import { sumUsage } from '#shared/usage/usage-counts';
import type { UsageStore } from '#shared/usage/usage-store';
import { tallyUsage, type UsageTally } from '#shared/usage/usage-tally';
import type { TableStreamEvent } from './schema.ts';

// How often it runs, and how much it gets at a time: `infra/constructs/table-stream-settings.ts`.

export type UsageCounting = {
  readonly now: () => number;
  readonly usage: UsageStore;
  readonly keyDays: KeyDayStore;
  readonly notices: NoticeFiling;
  /** Is told of a record that cannot be read, by its sequence number if that is legible. */
  readonly reportUnreadable: (sequence: string | undefined) => void;
  /** Is told of what will never be counted, since DynamoDB refuses it whenever it comes. */
  readonly reportUncounted: (error: unknown, tally: UsageTally) => void;
  /** Is told that the figures of an organization could not be looked at, or its keys not counted. */
  readonly reportUnwatched: (error: unknown) => void;
};

/** A write takes milliseconds, and a batch has far fewer organizations than records: twenty at a time are enough. */
const writesAtATime = 20;

/**
 * Counts what the records of one shard add to organizations' usage. An organization with another bounce or
 * complaint is told when its rate is near the limit of SES, and one whose key sends ten times its usual day of that.
 *
 * A batch that fails holds up every organization's behind it. So only months fail one, and only for what may pass:
 * what keys sent on a day just finds spikes, and a count that DynamoDB refuses for what it is would be refused for
 * all of the 23 hours. The batch isn't split (`bisectBatchOnError`): records that come again may come in any order
 * (Lambda guide, "services-ddb-windows"), and a later half that counts first would make the earlier one a repeat.
 *
 * @throws AggregateError when a month could not be counted. Lambda then gives all of them again, and
 *   those that are counted already count no second time.
 */
export async function countUsage(
  { shardId, Records }: TableStreamEvent,
  counting: UsageCounting,
): Promise<void> {
  const { reportUnreadable } = counting;
  const entries = Records.flatMap((record) => {
    const reading = readStreamRecord(record);
    if (reading.kind === 'unreadable') reportUnreadable(reading.sequence);
    return reading.kind === 'counts' ? [reading.entry] : [];
  });

  const failures: unknown[] = [];
  const pending = [
    ...tallyUsage(entries).map((tally) => () => countMonth(shardId, tally, counting)),
    ...tallyKeyDays(entries).map((tally) => () => countKeyDay(shardId, tally, counting)),
  ].values();
  const work = async () => {
    for (const count of pending) {
      await count().catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: writesAtATime }, work));
  if (failures.length > 0) throw new AggregateError(failures, 'usage not counted');
}

async function countMonth(shardId: string, tally: UsageTally, counting: UsageCounting) {
  try {
    await counting.usage.add(shardId, tally);
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    counting.reportUncounted(error, tally);
    return;
  }
  await watchRates(tally, counting);
}

/** Never makes the count fail. */
async function countKeyDay(shardId: string, tally: KeyDayTally, counting: UsageCounting) {
  try {
    const told = await counting.keyDays.add(shardId, tally);
    await watchKeys(tally, keysToLookAt(tally, told), counting);
  } catch (error) {
    counting.reportUnwatched(error);
  }
}

/** Reads the days of all keys, and only when one of them has sent some more. */
async function watchKeys(
  { organizationId, day }: KeyDayTally,
  apiKeyIds: readonly ApiKeyId[],
  { now, keyDays, notices }: UsageCounting,
): Promise<void> {
  if (apiKeyIds.length === 0) return;
  const days = await keyDays.read(organizationId, day);
  for (const apiKeyId of apiKeyIds) {
    const notice = spikeNotice(apiKeyId, day, days, now());
    if (notice !== undefined) await notices.file(notice);
  }
}

/** Reads the whole month, and only for organizations whose figures got worse. Never makes the count fail. */
async function watchRates(
  { organizationId, month, entries }: UsageTally,
  { now, usage, notices, reportUnwatched }: UsageCounting,
): Promise<void> {
  const isWorse = entries.some(
    ({ counts }) => (counts.bouncedRecipients ?? counts.complainedRecipients ?? 0) > 0,
  );
  if (!isWorse) return;
  try {
    const parts = await usage.read(organizationId, { from: month, to: month });
    const counts = sumUsage(parts.map((part) => part.counts));
    for (const notice of rateNotices(organizationId, month, counts, now())) {
      await notices.file(notice);
    }
  } catch (error) {
    reportUnwatched(error);
  }
}
