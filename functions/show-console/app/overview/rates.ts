import { type RateKind, rateOf, reviewRates } from '#shared/usage/reputation-limits';
import { count } from '../shared/format.ts';
import type { Outcomes } from './range.ts';

export const rateKinds = ['bounced', 'complained'] as const satisfies readonly RateKind[];

export const rateWords = {
  bounced: { name: 'Hard bounces', who: 'See who bounced', outcome: 'bounced' },
  complained: { name: 'Complaints', who: 'See who complained', outcome: 'complained' },
} as const satisfies Record<RateKind, unknown>;

/** How many of a period's emails count against the limit. */
export const countedOf = (kind: RateKind, outcomes: Outcomes): number =>
  kind === 'bounced' ? outcomes.bounced_permanent : outcomes.complained;

export const percentText = (percent: number): string =>
  `${percent.toLocaleString(undefined, { maximumFractionDigits: percent < 10 ? 2 : 1 })}%`;

export function rateTitle(kind: RateKind, sent: number, counted: number): string {
  const { percent } = rateOf(kind, sent, counted);
  const { limit } = reviewRates[kind];
  return `${rateWords[kind].name} are at ${percentText(percent)}. AWS reviews accounts at ${limit}.`;
}

export function rateText(kind: RateKind, sent: number, counted: number, when: string): string {
  const { one } = reviewRates[kind];
  const rate = rateOf(kind, sent, counted);
  const sample = `${counted.toLocaleString()} of ${count(sent, 'email')} in ${when}`;
  switch (rate.state) {
    case 'early':
      return `${sample}. That’s a small sample, but look at it before you send more.`;
    case 'near':
      return `${sample}; ${count(rate.left, `more ${one}`)} would reach the limit.`;
    case 'reached':
      return `${sample}. Find the cause before you send more: often it’s an old, bought or unconfirmed list.`;
    default:
      return `${sample}.`;
  }
}

const signed = (value: number, digits = 1): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toLocaleString(undefined, { maximumFractionDigits: digits })}`;

/** Such as `+4.1%`; `undefined` if there was nothing before. */
export function changeOf(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  return now === before ? 'unchanged' : `${signed((100 * (now - before)) / before)}%`;
}

/** Percentage points, such as `−7.8`, to two digits if one would show no change. */
export function pointsOf(now: number, before: number): string | undefined {
  const change = Math.round(100 * (now - before)) / 100;
  if (change === 0) return undefined;
  return signed(change, Math.abs(change) < 0.1 ? 2 : 1);
}
