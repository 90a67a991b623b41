import { invalidField } from '#shared/errors/service-error';
import { type Day, dayMs, dayOf, daysBefore } from '#shared/timing/day';

/** A key's usual day is worked out from this many days. */
export const usualDays = 30;

export type DayPeriod = { readonly from: Day; readonly to: Day };

export const maxPeriodDays = 92;
export const defaultPeriodDays = 30;

/** `from` alone means until today, `to` alone that one day, and neither the last 30 days. */
export function dayPeriodOf(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): DayPeriod {
  for (const name of ['from', 'to'] as const) {
    if (asked[name] !== undefined && !isDay(asked[name])) {
      throw invalidField(name, 'must be a day of the calendar, as YYYY-MM-DD');
    }
  }
  const to = asked.to ?? dayOf(now);
  const from = asked.from ?? (asked.to === undefined ? daysBefore(to, defaultPeriodDays - 1) : to);
  if (from > to) {
    throw invalidField('from', `must not be after ${asked.to === undefined ? 'today' : 'to'}`);
  }
  if (from <= daysBefore(to, maxPeriodDays)) {
    throw invalidField('from', `must not begin a period of more than ${maxPeriodDays} days`);
  }
  return { from, to };
}

const lengthOf = ({ from, to }: DayPeriod): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** The same number of days, right before these. */
export const daysBeforePeriod = (period: DayPeriod): DayPeriod => ({
  from: daysBefore(period.from, lengthOf(period)),
  to: daysBefore(period.from, 1),
});

/** In order. */
export function daysOf(period: DayPeriod): Day[] {
  const { to } = period;
  const count = lengthOf(period);
  return Array.from({ length: count }, (_, index) => daysBefore(to, count - 1 - index));
}

/** JavaScript turns a day that doesn't exist, such as 31 June, into one of the next month, or none. */
function isDay(text: string): boolean {
  const moment = Date.parse(text);
  return !Number.isNaN(moment) && dayOf(moment) === text;
}
