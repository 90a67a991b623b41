import { readStreamRecord } from '#shared/usage/stream-record';
import type { UsageStore } from '#shared/usage/usage-store';
import { tallyUsage } from '#shared/usage/usage-tally';
import type { TableStreamEvent } from './schema.ts';

/** A write takes milliseconds, and a batch has far fewer organizations than records: twenty at a time are enough. */
const writesAtATime = 20;

/**
 * Counts what the records of one shard add to organizations' usage.
 *
 * @param reportUnreadable is told of a record that cannot be read, by its sequence number if that is legible.
 * @throws AggregateError when anything could not be counted. Lambda then gives all of them again, and
 *   those that are counted already count no second time.
 */
export async function countUsage(
  { shardId, Records }: TableStreamEvent,
  usage: UsageStore,
  reportUnreadable: (sequence: string | undefined) => void,
): Promise<void> {
  const entries = Records.flatMap((record) => {
    const reading = readStreamRecord(record);
    if (reading.kind === 'unreadable') reportUnreadable(reading.sequence);
    return reading.kind === 'counts' ? [reading.entry] : [];
  });

  const failures: unknown[] = [];
  const pending = tallyUsage(entries).values();
  const work = async () => {
    for (const tally of pending) {
      await usage.add(shardId, tally).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: writesAtATime }, work));
  if (failures.length > 0) throw new AggregateError(failures, 'usage not counted');
}
