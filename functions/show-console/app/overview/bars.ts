import type { Outcomes } from './range.ts';

/** From bottom to top. */
export const barParts = ['delivered', 'pending', 'soft', 'hard'] as const;
export type BarPart = (typeof barParts)[number];

export const partWords = {
  delivered: 'Delivered',
  pending: 'On their way',
  soft: 'Soft bounces',
  hard: 'Hard bounces',
} as const satisfies Record<BarPart, string>;

/**
 * What became of a period's emails: the parts add up to the sends. An autoresponder soft-bounces email that was
 * delivered, so soft bounces are only those beyond the deliveries. Outcomes count when they happen, even those of
 * emails from before the period, and are capped at the sends.
 */
export function barOf(outcomes: Outcomes) {
  const { sent } = outcomes;
  const hard = Math.min(sent, outcomes.bounced_permanent);
  const delivered = Math.min(sent - hard, outcomes.delivered);
  const soft = Math.min(sent - hard - delivered, softBouncesOf(outcomes));
  const pending = sent - hard - delivered - soft;
  const numbers = { delivered, pending, soft, hard } as const satisfies Record<BarPart, number>;
  return barParts.map((part) => [part, numbers[part]] as const);
}

const softBouncesOf = ({ bounced_transient, bounced_undetermined }: Outcomes): number =>
  bounced_transient + bounced_undetermined;

export const partIn = (figures: Outcomes, name: BarPart): number =>
  barOf(figures).find(([part]) => part === name)?.[1] ?? 0;

/** The figure for a part. Soft bounces include those of delivered emails, which the bar leaves out. */
export const shownIn = (figures: Outcomes, name: BarPart): number =>
  name === 'soft' ? softBouncesOf(figures) : partIn(figures, name);

/** Round numbers for the axis. */
export function scaleOf(most: number): { readonly top: number; readonly lines: readonly number[] } {
  const step = roundSteps.find((one) => most <= one * maxLines) ?? most;
  const count = Math.max(1, Math.ceil(most / step));
  return {
    top: step * count,
    lines: Array.from({ length: count + 1 }, (_, place) => place * step),
  };
}

const maxLines = 4;
/** No half emails: 1, 2, 5, 10, 20, … */
const roundSteps = Array.from({ length: 13 }, (_, zeros) =>
  [1, 2, 5].map((digit) => digit * 10 ** zeros),
).flat();
