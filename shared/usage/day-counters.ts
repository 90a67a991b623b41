import * as z from 'zod/mini';
import type { StoredItem } from '#shared/table/table-client';
import type { Day } from '#shared/timing/day';
import { bucketOf, type DeliveryTimes } from './delivery-times.ts';
import type { Month } from './month.ts';
import { type UsageCounts, usageCounters, usageCountsSchema } from './usage-counts.ts';

/** One shard's count. */
export type DailyUsage = {
  readonly day: Day;
  readonly counts: UsageCounts;
  readonly times?: DeliveryTimes;
};

/**
 * Stored beside the month's counters: `day09_sends`. They share an item and so a mark: a change counts for both or
 * neither, and costs no extra write. A shard lives for hours, so its item has a day or two.
 */
export const dayCountersOf = (
  day: Day,
  counts: Partial<UsageCounts>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [`day${day.slice(-2)}_${name}`, count]),
  );

export const dayTimeCounterOf = (day: Day, tookMs: number): Readonly<Record<string, number>> => ({
  [`day${day.slice(-2)}_t${bucketOf(tookMs)}`]: 1,
});

function timesIn(ofDay: string, item: StoredItem): DeliveryTimes {
  const ofBuckets = new RegExp(`^day${ofDay}_t(\\d+)$`);
  return new Map(
    Object.entries(item).flatMap(([name, count]) => {
      const bucket = ofBuckets.exec(name)?.[1];
      return bucket === undefined ? [] : [[Number(bucket), z.int().parse(count)] as const];
    }),
  );
}

export function readDayCounters(month: Month, item: StoredItem): DailyUsage[] {
  const ofDays = Object.keys(item).flatMap((name) => dayCounter.exec(name)?.[1] ?? []);
  return [...new Set(ofDays)].map((ofDay) => ({
    day: `${month}-${ofDay}`,
    counts: usageCountsSchema.parse(
      Object.fromEntries(usageCounters.map((name) => [name, item[`day${ofDay}_${name}`]])),
    ),
    times: timesIn(ofDay, item),
  }));
}

const dayCounter = /^day(\d\d)_/;
