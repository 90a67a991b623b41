import { dayMs } from '#shared/timing/day';
import { outcomeTone, type Send } from '../emails/outcomes.ts';

export const daysShown = 90;
/** From the first day shown on. */
export const startOf = (now: number): number => now - daysShown * dayMs;

export type Day = { readonly emails: number; readonly tone: 'bad' | 'warn' | undefined };

/** One for each 24 hours, the latest last, with the worst that happened in them. */
export function daysOf(sends: readonly Pick<Send, 'createdAt' | 'outcome'>[], now: number): Day[] {
  const placeOf = ({ createdAt }: { readonly createdAt: number }) =>
    daysShown - 1 - Math.floor(Math.max(0, now - createdAt) / dayMs);
  return Array.from({ length: daysShown }, (_, place) => {
    const its = sends.filter((send) => placeOf(send) === place);
    const tones = its.map(({ outcome }) => outcomeTone(outcome));
    const tone = (['bad', 'warn'] as const).find((one) => tones.includes(one));
    return { emails: its.length, tone };
  });
}

/** For those who don't see the strip. */
export function daysText(days: readonly Day[]): string {
  const withSome = days.filter(({ emails }) => emails > 0).length;
  const amiss = days.filter(({ tone }) => tone !== undefined).length;
  return `Emails on ${withSome} of ${days.length} days, with problems on ${amiss}`;
}
