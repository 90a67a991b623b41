import { invalidField } from '#shared/errors/service-error';
import { type Day, dayOf, daysBefore } from '#shared/timing/day';
import { hourMs, hourOf } from '#shared/timing/hour';
import { momentInQuery } from '#shared/timing/moment';
import type { HourPeriod } from './metrics-store.ts';
import { monthOfDay } from './month.ts';

export const metricIntervals = ['hour', 'day', 'week', 'month'] as const;
export type MetricInterval = (typeof metricIntervals)[number];

/** By hour, so that an answer has at most this many buckets. */
export const maxHoursByHour = 14 * 24;
/** By any interval: an hour more, as the clocks may have gone back. */
export const maxMetricDays = 92;
const maxHours = maxMetricDays * 24 + 1;

const defaultDays = { hour: 1, day: 30, week: 84, month: maxMetricDays } as const;

export type TimeZone = {
  readonly name: string;
  /** The calendar's day there when the hour begins. */
  readonly dayOf: (hour: number) => Day;
  /** `YYYY-MM-DDTHH:MM` there when the hour begins. */
  readonly timeOf: (hour: number) => string;
};

/** @throws ServiceError if it's none of the IANA's. */
export function timeZoneOf(name: string): TimeZone {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(name)) throw unknownZone();
  const format = formatOf(name);
  const partsOf = (hour: number) => format.format(hour * hourMs);
  return {
    name,
    dayOf: (hour) => partsOf(hour).slice(0, 'YYYY-MM-DD'.length),
    timeOf: (hour) => partsOf(hour).replace(' ', 'T'),
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    // Sweden writes dates as ISO 8601 does.
    return new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  } catch {
    throw unknownZone();
  }
}

const unknownZone = () =>
  invalidField('timeZone', 'must be a name of the IANA time zone database, such as Europe/Berlin');

type Asked = {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly interval: MetricInterval;
};

/**
 * The hours of a period. Metrics are counted by hour, so it begins with the hour of `from`, and ends with that of
 * `until`. A day without a time begins there when its first whole hour does.
 */
export function metricPeriodOf(asked: Asked, zone: TimeZone, now: number): HourPeriod {
  const end = hourOf(now) + 1;
  const until = Math.min(end, endOf(asked.until, zone) ?? end);
  const from = startOf(asked.from, zone) ?? defaultStart(asked.interval, zone, until);
  if (from >= until) throw invalidField('from', 'must be before until, and not in the future');
  const isByHour = asked.interval === 'hour';
  if (isByHour && until - from > maxHoursByHour) {
    throw invalidField(
      'from',
      `must not begin a period of more than ${maxHoursByHour} hours by hour`,
    );
  }
  if (until - from > maxHours) {
    throw invalidField('from', `must not begin a period of more than ${maxMetricDays} days`);
  }
  return { from, until };
}

function defaultStart(interval: MetricInterval, zone: TimeZone, until: number): number {
  if (interval === 'hour') return until - 24;
  const last = zone.dayOf(until - 1);
  return firstHourOf(daysBefore(last, defaultDays[interval] - 1), zone);
}

const startOf = (text: string | undefined, zone: TimeZone): number | undefined =>
  text === undefined
    ? undefined
    : (hourOfDay(text, 'from', zone) ?? hourOf(momentOf(text, 'from')));

const endOf = (text: string | undefined, zone: TimeZone): number | undefined =>
  text === undefined
    ? undefined
    : (hourOfDay(text, 'until', zone) ?? Math.ceil(momentOf(text, 'until') / hourMs));

function momentOf(text: string, field: string): number {
  const read = momentInQuery.safeParse(text);
  if (read.success) return read.data;
  throw invalidField(field, read.error.issues[0]?.message ?? 'must be a time');
}

const isDay = /^\d{4}-\d{2}-\d{2}$/;

function hourOfDay(text: string, field: string, zone: TimeZone): number | undefined {
  if (!isDay.test(text)) return undefined;
  return firstHourOf(dayOf(momentOf(text, field)), zone);
}

/** No zone is further from UTC than 14 hours, and no day is skipped whole but at the date line. */
function firstHourOf(day: Day, zone: TimeZone): number {
  let hour = hourOf(Date.parse(day)) - 15;
  while (zone.dayOf(hour) < day) hour += 1;
  return hour;
}

export type MetricBucket = HourPeriod & {
  /** The hour's time, the day, the week's Monday or the month there. */
  readonly period: string;
};

/** In order, and each hour of the period in one: those at its ends may be shorter than others. */
export function bucketsOf(
  { from, until }: HourPeriod,
  interval: MetricInterval,
  zone: TimeZone,
): MetricBucket[] {
  const buckets: { period: string; from: number; until: number }[] = [];
  for (let hour = from; hour < until; hour += 1) {
    const period = periodOf(hour, interval, zone);
    const last = buckets.at(-1);
    if (last?.period === period && interval !== 'hour') last.until = hour + 1;
    else buckets.push({ period, from: hour, until: hour + 1 });
  }
  return buckets;
}

function periodOf(hour: number, interval: MetricInterval, zone: TimeZone): string {
  switch (interval) {
    case 'hour':
      return zone.timeOf(hour);
    case 'day':
      return zone.dayOf(hour);
    case 'week':
      return mondayOf(zone.dayOf(hour));
    case 'month':
      return monthOfDay(zone.dayOf(hour));
  }
}

/** ISO 8601's weeks begin on Mondays. */
const mondayOf = (day: Day): Day => daysBefore(day, (new Date(day).getUTCDay() + 6) % 7);
