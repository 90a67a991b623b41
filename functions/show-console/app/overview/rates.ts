import { type RateKind, rateLimits, rateOf } from '#shared/usage/rate-limits';
import { count } from '../shared/format.ts';

/** How far a rate is from its limit, in words. No sample that is too small has a rate. */
export function rateText(kind: RateKind, sent: number, counted: number): string {
  const { limit, one, leastSent } = rateLimits[kind];
  const rate = rateOf(kind, sent, counted);
  const sample = `${counted.toLocaleString()} of ${count(sent, 'email')}`;
  switch (rate.state) {
    case 'too_few':
      return `${sample}: too few to tell. It takes ${leastSent.toLocaleString()} emails, so ${rate.missing.toLocaleString()} more.`;
    case 'below':
    case 'near':
      return `${count(rate.left, `more ${one}`)} until ${limit}. ${sample} so far.`;
    case 'reached':
      return `${sample}: ${rate.percent.toLocaleString()} %, and the limit is ${limit}. Stop sending to lists that are old, bought or unconfirmed.`;
  }
}
