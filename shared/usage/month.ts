import { invalidField } from '#shared/errors/service-error';
import { hourOf } from '#shared/timing/hour';

/** A month as `YYYY-MM`, in UTC. Text order is time order. */
export type Month = string;

/** Epoch milliseconds, below the year 10000. */
export const monthOf = (moment: number): Month => new Date(moment).toISOString().slice(0, 7);

/** @param day `YYYY-MM-DD`, or already a month. */
export const monthOfDay = (day: string): Month => day.slice(0, 'YYYY-MM'.length);

export type Period = { readonly from: Month; readonly to: Month };

type AskedPeriod = { readonly from?: Month | undefined; readonly to?: Month | undefined };

export const maxPeriodMonths = 24;

/** `from` alone means until now, `to` alone that one month, and neither the current month. */
export function periodOf(asked: AskedPeriod, now: number): Period {
  const to = asked.to ?? monthOf(now);
  const from = asked.from ?? to;
  if (from > to) {
    throw invalidField('from', `must not be after ${asked.to === undefined ? 'now' : 'to'}`);
  }
  if (numberOf(to) - numberOf(from) >= maxPeriodMonths) {
    throw invalidField('from', `must not begin a period of more than ${maxPeriodMonths} months`);
  }
  return { from, to };
}

/** The same number of months, right before these. */
export function monthsBeforePeriod({ from, to }: Period): Period {
  const first = numberOf(from);
  return { from: textOf(2 * first - numberOf(to) - 1), to: textOf(first - 1) };
}

export function monthsOf({ from, to }: Period): Month[] {
  const first = numberOf(from);
  return Array.from({ length: numberOf(to) - first + 1 }, (_, index) => textOf(first + index));
}

/** Hours since the epoch: from its first until the next month's. */
export function hoursOfMonth(month: Month): { readonly from: number; readonly until: number } {
  const number = numberOf(month);
  const startOf = (one: number) => hourOf(Date.UTC(Math.floor(one / 12), one % 12));
  return { from: startOf(number), until: startOf(number + 1) };
}

function numberOf(month: Month): number {
  const [year, ofYear] = month.split('-').map(Number);
  return (year ?? 0) * 12 + (ofYear ?? 1) - 1;
}

const textOf = (number: number): Month =>
  `${digits(Math.floor(number / 12), 4)}-${digits((number % 12) + 1, 2)}`;

const digits = (number: number, length: number): string => String(number).padStart(length, '0');
