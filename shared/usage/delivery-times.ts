/**
 * From SES's acceptance to delivery: the number of emails by bucket. Histograms can be added up, percentiles can't.
 *
 * Each bucket ends at 1.5 times the end of the one before, from a quarter of a second to 20 hours; SES gives up a few
 * hours later at most. So a percentile is off by a factor of 1.5 at most.
 */
export type DeliveryTimes = ReadonlyMap<number, number>;

export const noTimes: DeliveryTimes = new Map();

const firstEndMs = 250;
export const bucketFactor = 1.5;
/** The last one has no end. */
export const maxBuckets = 33;

const endOf = (bucket: number): number => firstEndMs * bucketFactor ** bucket;

export const bucketOf = (tookMs: number): number =>
  tookMs <= firstEndMs
    ? 0
    : Math.min(maxBuckets - 1, Math.ceil(Math.log(tookMs / firstEndMs) / Math.log(bucketFactor)));

export const timesOf = (tookMs: readonly number[]): DeliveryTimes =>
  sumTimes(tookMs.map((one) => new Map([[bucketOf(one), 1]])));

export function sumTimes(all: readonly DeliveryTimes[]): DeliveryTimes {
  const sums = new Map<number, number>();
  for (const [bucket, count] of all.flatMap((times) => [...times])) {
    sums.set(bucket, (sums.get(bucket) ?? 0) + count);
  }
  return sums;
}

export type TimeToDelivery = {
  readonly deliveries: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
};

/** `undefined` if nothing was delivered. */
export function timeToDelivery(times: DeliveryTimes): TimeToDelivery | undefined {
  const deliveries = [...times.values()].reduce((sum, count) => sum + count, 0);
  if (deliveries === 0) return undefined;
  return { deliveries, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

/** @param part of the emails, from 0 to 1. */
export function percentile(times: DeliveryTimes, part: number): number {
  const sorted = [...times].sort(([one], [other]) => one - other);
  const rank = part * sorted.reduce((sum, [, count]) => sum + count, 0);
  let before = 0;
  for (const [bucket, count] of sorted) {
    if (before + count >= rank) return Math.round(timeAt(bucket, (rank - before) / count));
    before += count;
  }
  return 0;
}

/** @param place of the email in its bucket, from 0 to 1. */
function timeAt(bucket: number, place: number): number {
  if (bucket === 0) return place * firstEndMs;
  const isLast = bucket === maxBuckets - 1;
  return endOf(bucket - 1) * (isLast ? 1 : bucketFactor ** place);
}
