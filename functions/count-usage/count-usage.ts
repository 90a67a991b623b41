import type { NoticeFiling } from '#shared/notices/notice-filing';
import { rateNotices } from '#shared/usage/rate-notices';
import { readStreamRecord } from '#shared/usage/stream-record';
import { sumUsage } from '#shared/usage/usage-counts';
import type { UsageStore } from '#shared/usage/usage-store';
import { tallyUsage, type UsageTally } from '#shared/usage/usage-tally';
import type { TableStreamEvent } from './schema.ts';

export type UsageCounting = {
  readonly now: () => number;
  readonly usage: UsageStore;
  readonly notices: NoticeFiling;
  /** Is told of a record that cannot be read, by its sequence number if that is legible. */
  readonly reportUnreadable: (sequence: string | undefined) => void;
  /** Is told that the rates of an organization could not be looked at. */
  readonly reportUnwatched: (error: unknown) => void;
};

/** A write takes milliseconds, and a batch has far fewer organizations than records: twenty at a time are enough. */
const writesAtATime = 20;

/**
 * Counts what the records of one shard add to organizations' usage. An organization with another bounce or
 * complaint is told when its rate is near the limit of SES.
 *
 * @throws AggregateError when anything could not be counted. Lambda then gives all of them again, and
 *   those that are counted already count no second time.
 */
export async function countUsage(
  { shardId, Records }: TableStreamEvent,
  counting: UsageCounting,
): Promise<void> {
  const { usage, reportUnreadable } = counting;
  const entries = Records.flatMap((record) => {
    const reading = readStreamRecord(record);
    if (reading.kind === 'unreadable') reportUnreadable(reading.sequence);
    return reading.kind === 'counts' ? [reading.entry] : [];
  });

  const failures: unknown[] = [];
  const pending = tallyUsage(entries).values();
  const work = async () => {
    for (const tally of pending) {
      try {
        await usage.add(shardId, tally);
      } catch (error) {
        failures.push(error);
        continue;
      }
      await watchRates(tally, counting);
    }
  };
  await Promise.all(Array.from({ length: writesAtATime }, work));
  if (failures.length > 0) throw new AggregateError(failures, 'usage not counted');
}

/** Reads the whole month, and only for organizations whose figures got worse. Never makes the count fail. */
async function watchRates(
  { organizationId, month, entries }: UsageTally,
  { now, usage, notices, reportUnwatched }: UsageCounting,
): Promise<void> {
  const isWorse = entries.some(({ counts }) => (counts.bounced ?? counts.complained ?? 0) > 0);
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
