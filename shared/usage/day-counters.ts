import type { StoredItem } from '#shared/table/table-client';
import type { Day } from '#shared/timing/day';
import type { Month } from './month.ts';
import { type UsageCounts, usageCounters, usageCountsSchema } from './usage-counts.ts';

/** What one shard has counted of a day. */
export type DailyUsage = { readonly day: Day; readonly counts: UsageCounts };

/**
 * The counters of a day, next to those of its month: `day09_sends`. They share an item and so a mark, so a
 * change counts for both or neither, and costs no extra write. A shard lives for hours, so its item has the
 * counters of a day or two.
 */
export const dayCountersOf = (
  day: Day,
  counts: Partial<UsageCounts>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [`day${day.slice(-2)}_${name}`, count]),
  );

/** The days of a month that an item has counters for. */
export function readDayCounters(month: Month, item: StoredItem): DailyUsage[] {
  const ofDays = Object.keys(item).flatMap((name) => dayCounter.exec(name)?.[1] ?? []);
  return [...new Set(ofDays)].map((ofDay) => ({
    day: `${month}-${ofDay}`,
    counts: usageCountsSchema.parse(
      Object.fromEntries(usageCounters.map((name) => [name, item[`day${ofDay}_${name}`]])),
    ),
  }));
}

const dayCounter = /^day(\d\d)_/;
