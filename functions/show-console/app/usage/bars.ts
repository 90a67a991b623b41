import { hardBouncesOf } from '#shared/usage/rate-limits';
import type { Figures } from './usage-table.ts';

/** From the bottom to the top. */
export const barParts = ['delivered', 'unheard', 'soft', 'hard'] as const;
export type BarPart = (typeof barParts)[number];

export const partWords = {
  delivered: 'Delivered',
  unheard: 'No outcome yet',
  soft: 'Soft bounces',
  hard: 'Hard bounces',
} as const satisfies Record<BarPart, string>;

/**
 * What became of the emails sent in a period: the parts add up to them. An autoresponder bounces softly what was
 * delivered, so soft bounces are what's left beside deliveries. Outcomes count when they happen; those of emails from
 * before the period are left out.
 */
export function barOf({ sends, events }: Pick<Figures, 'sends' | 'events'>) {
  const hard = Math.min(sends, hardBouncesOf(events));
  const delivered = Math.min(sends - hard, events.delivered);
  const soft = Math.min(sends - hard - delivered, events.soft_bounced);
  const unheard = sends - hard - delivered - soft;
  const numbers = { delivered, unheard, soft, hard } as const satisfies Record<BarPart, number>;
  return barParts.map((part) => [part, numbers[part]] as const);
}

export const partIn = (figures: Pick<Figures, 'sends' | 'events'>, name: BarPart): number =>
  barOf(figures).find(([part]) => part === name)?.[1] ?? 0;

/** The same as a figure: of soft bounces all, though a bar has only those whose email wasn't delivered. */
export const shownIn = (figures: Pick<Figures, 'sends' | 'events'>, name: BarPart): number =>
  name === 'soft' ? figures.events.soft_bounced : partIn(figures, name);

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
