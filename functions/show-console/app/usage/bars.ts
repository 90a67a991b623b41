import { hardBouncesOf } from '#shared/usage/rate-limits';
import type { Figures } from './usage-table.ts';

/** From the bottom to the top. */
export const barParts = ['delivered', 'unheard', 'soft', 'hard', 'complained'] as const;
export type BarPart = (typeof barParts)[number];

export const partWords = {
  delivered: 'Delivered',
  unheard: 'No outcome yet',
  soft: 'Soft bounces',
  hard: 'Hard bounces',
  complained: 'Complaints',
} as const satisfies Record<BarPart, string>;

/**
 * What became of a day's emails. One that brought a complaint was delivered, and counts once. Outcomes count on the day
 * when they happen, and an autoresponder bounces softly what was delivered, so a bar can be higher than the emails sent.
 */
export function barOf({ sends, events }: Pick<Figures, 'sends' | 'events'>) {
  const hard = hardBouncesOf(events);
  const numbers = {
    delivered: Math.max(0, events.delivered - events.complained),
    unheard: Math.max(0, sends - events.delivered - events.bounced),
    soft: events.bounced - hard,
    hard,
    complained: events.complained,
  } as const satisfies Record<BarPart, number>;
  return barParts.map((part) => [part, numbers[part]] as const);
}

/** The top of the axis, and where it has lines: at whole, round numbers. */
export function scaleOf(most: number): { readonly top: number; readonly lines: readonly number[] } {
  const step = roundSteps.find((one) => most <= one * mostLines) ?? most;
  const count = Math.max(1, Math.ceil(most / step));
  return {
    top: step * count,
    lines: Array.from({ length: count + 1 }, (_, place) => place * step),
  };
}

const mostLines = 4;
/** No half emails: 1, 2, 5, 10, 20, … */
const roundSteps = Array.from({ length: 13 }, (_, zeros) =>
  [1, 2, 5].map((digit) => digit * 10 ** zeros),
).flat();
