import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bucketFactor,
  bucketOf,
  maxBuckets,
  noTimes,
  percentile,
  sumTimes,
  timesOf,
  timeToDelivery,
} from '#shared/usage/delivery-times';

const hour = 3_600_000;
/** As SES delivers: mostly in seconds, some after hours. */
const took = fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 20 * hour }));
const emails = fc.array(took, { minLength: 1, maxLength: 200 });

describe('delivery times', () => {
  it('give a percentile within the factor of a bucket', () => {
    fc.assert(
      fc.property(emails, fc.constantFrom(0.5, 0.95), (all, part) => {
        const sorted = all.toSorted((one, other) => one - other);
        const exact = sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
        const found = percentile(timesOf(all), part);

        if (exact <= 250) expect(found).toBeLessThanOrEqual(250);
        else {
          expect(found).toBeGreaterThanOrEqual(exact / bucketFactor - 1);
          expect(found).toBeLessThanOrEqual(exact * bucketFactor + 1);
        }
      }),
    );
  });

  it('add up: the parts of a shard give the same result as the whole', () => {
    fc.assert(
      fc.property(emails, emails, (one, other) => {
        const parts = sumTimes([timesOf(one), timesOf(other)]);
        expect(parts).toEqual(timesOf([...one, ...other]));
      }),
    );
  });

  it('have no percentiles when empty', () => {
    expect(timeToDelivery(noTimes)).toBeUndefined();
  });

  it.each([
    ['at once', 0, 0],
    ['within a quarter of a second', 250, 0],
    ['just after', 251, 1],
    ['after a week', 168 * hour, maxBuckets - 1],
  ])('count an email %s in one of the buckets', (_what, tookMs, bucket) => {
    expect(bucketOf(tookMs)).toBe(bucket);
  });
});
