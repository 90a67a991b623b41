import { type RateKind, rateLimits, rateOf } from '#shared/usage/rate-limits';
import { count } from '../shared/format.ts';

export const rateKinds = ['bounced', 'complained'] as const satisfies readonly RateKind[];

export const rateWords = {
  bounced: {
    name: 'Bounces',
    near: 'Your bounce rate is close to the limit',
    reached: 'Your bounce rate is over the limit',
    who: 'Hard bounces',
    suppressions: '/console/suppressions?reason=bounce',
  },
  complained: {
    name: 'Complaints',
    near: 'Your complaint rate is close to the limit',
    reached: 'Your complaint rate is over the limit',
    who: 'Who complained',
    suppressions: '/console/suppressions?reason=complaint',
  },
} as const satisfies Record<RateKind, unknown>;

/** How far a rate is from its limit. A sample that's too small has no rate. */
export function rateText(kind: RateKind, sent: number, counted: number): string {
  const { limit, one, leastSent } = rateLimits[kind];
  const rate = rateOf(kind, sent, counted);
  const sample = `${counted.toLocaleString()} of ${count(sent, 'email')}`;
  switch (rate.state) {
    case 'too_few':
      return `${sample}: too few to tell. It takes ${leastSent.toLocaleString()} emails, ${rate.missing.toLocaleString()} more than now.`;
    case 'below':
    case 'near':
      return `${count(rate.left, `more ${one}`)} until ${limit}. ${sample} so far.`;
    case 'reached':
      return `${sample}: ${rate.percent.toLocaleString()} %, and the limit is ${limit}. Stop sending to old, bought or unconfirmed lists.`;
  }
}
