import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourMs, hourOf } from '#shared/timing/hour';
import {
  bucketsOf,
  maxHoursByHour,
  maxMetricDays,
  metricIntervals,
  metricPeriodOf,
  timeZoneOf,
} from '#shared/usage/metric-buckets';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = Date.UTC(2026, 10, 30, 8, 20);

const zones = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu'],
  ...['Australia/Lord_Howe', 'America/Santiago', 'Africa/Cairo', 'Pacific/Kiritimati'],
  ...['Pacific/Niue', 'Asia/Beirut', 'America/St_Johns', 'Pacific/Apia'],
];

const hourAt = (text: string) => hourOf(Date.parse(text));

/** The period of a question, and its buckets. */
const bucketsFor = (
  asked: { from?: string; until?: string; interval?: (typeof metricIntervals)[number] },
  zone: string,
  at = now,
) => {
  const { interval = 'day' } = asked;
  const timeZone = timeZoneOf(zone);
  return bucketsOf(metricPeriodOf({ ...asked, interval }, timeZone, at), interval, timeZone);
};

describe('buckets of metrics', () => {
  it('cover every hour of the period once, in order, in any time zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...metricIntervals),
        // Both changes of the clock of a year, and Samoa's skipped day in 2011.
        fc.integer({ min: hourAt('2011-12-01'), max: hourAt('2027-01-01') }),
        fc.integer({ min: 1, max: maxMetricDays * 24 }),
        (zone, interval, from, length) => {
          const period = { from, until: from + length };
          const buckets = bucketsOf(period, interval, timeZoneOf(zone));

          expect(buckets[0]?.from).toBe(from);
          expect(buckets.at(-1)?.until).toBe(period.until);
          for (const [index, bucket] of buckets.entries()) {
            expect(bucket.until).toBeGreaterThan(bucket.from);
            if (index > 0) expect(buckets[index - 1]?.until).toBe(bucket.from);
          }
          const names = buckets.map((bucket) => bucket.period);
          if (interval !== 'hour') expect(new Set(names).size).toBe(names.length);
          expect([...names].sort()).toEqual(names);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-10-26', 24],
  ])('the day %s has %i hours in Berlin', (day, hours) => {
    const later = `${day.slice(0, -2)}${Number(day.slice(-2)) + 1}`;
    const [bucket, ...others] = bucketsFor({ from: day, until: later }, 'Europe/Berlin');

    expect(others).toEqual([]);
    expect(bucket?.period).toBe(day);
    expect((bucket?.until ?? 0) - (bucket?.from ?? 0)).toBe(hours);
  });

  it('an hour counts in the day in which it begins, where days begin within an hour of UTC', () => {
    const [first] = bucketsFor({ from: '2026-11-20', until: '2026-11-21' }, 'Asia/Kolkata');

    expect(first).toMatchObject({ from: hourAt('2026-11-19T19:00Z'), period: '2026-11-20' });
  });

  it('weeks begin on Mondays, and the first may be shorter', () => {
    const asked = { from: '2026-11-20', until: '2026-11-30', interval: 'week' as const };

    expect(
      bucketsFor(asked, 'UTC').map(({ period, from, until }) => [period, until - from]),
    ).toEqual([
      ['2026-11-16', 3 * 24],
      ['2026-11-23', 7 * 24],
    ]);
  });

  it.each([
    ['hour', 24, '2026-11-29T10:00', '2026-11-30T09:00'],
    ['day', 30, '2026-11-01', '2026-11-30'],
    ['week', 12, '2026-09-07', '2026-11-30'],
    ['month', 4, '2026-08', '2026-11'],
  ] as const)('by %s are by default the last %i or so', (interval, count, first, last) => {
    const buckets = bucketsFor({ interval }, 'Europe/Berlin');

    expect([buckets[0]?.period, buckets.at(-1)?.period]).toEqual([first, last]);
    expect(Math.abs(buckets.length - count)).toBeLessThanOrEqual(1);
  });

  it('end with the current hour', () => {
    const last = bucketsFor({ from: '2026-11-29', until: '2027-01-01' }, 'UTC').at(-1);

    expect(last?.until).toBe(hourOf(now) + 1);
  });

  it.each([
    [`${now - hourMs}`, `${now}`],
    ['2026-11-30T07:20:00Z', '2026-11-30T09:20:00+01:00'],
  ])('take a whole hour from %s until %s', (from, until) => {
    const [first, second, ...others] = bucketsFor({ from, until, interval: 'hour' }, 'UTC');

    expect([first?.period, second?.period]).toEqual(['2026-11-30T07:00', '2026-11-30T08:00']);
    expect(others).toEqual([]);
  });

  it.each([
    [{ from: '2026-11-20', until: '2026-11-20' }, 'from'],
    [{ from: '2026-12-20' }, 'from'],
    [{ from: '2026-08-01' }, 'from'],
    [{ from: '2026-11-01', interval: 'hour' as const }, 'from'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2026-02-30' }, 'from'],
    [{ until: '2026-13-01' }, 'until'],
    [{ from: '99999999999999' }, 'from'],
    [{ from: '0' }, 'from'],
  ])('refuse %o', async (asked, path) => {
    const error = await serviceErrorOf(() => bucketsFor(asked, 'UTC'));

    expect(error.errors?.map((one) => one.path)).toEqual([path]);
  });

  it.each(['Mars/Olympus', '+05:30', '', 'Europe/Berlin\n', 'x'.repeat(100)])(
    'refuse the time zone %o',
    async (zone) => {
      const error = await serviceErrorOf(() => timeZoneOf(zone));

      expect(error.errors?.map((one) => one.path)).toEqual(['timeZone']);
    },
  );

  it('by hour are at most a fortnight', () => {
    const until = '2026-11-29T00:00:00Z';
    const from = new Date(Date.parse(until) - maxHoursByHour * hourMs).toISOString();

    expect(bucketsFor({ from, until, interval: 'hour' }, 'UTC')).toHaveLength(maxHoursByHour);
  });
});
