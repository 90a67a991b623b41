/**
 * Where AWS puts an account under review, per mille of its emails (SES developer guide, "Reputation metrics
 * messages"). AWS looks at a representative volume and doesn't say how much that is. Below `leastSent` a
 * figure says nothing: one bounce among 100 emails is 1 %, one complaint among 1,000 is the whole limit.
 */
export const rateLimits = {
  bounced: { perMille: 50, leastSent: 100, limit: '5 %', one: 'bounce' },
  complained: { perMille: 1, leastSent: 1_000, limit: '0.1 %', one: 'complaint' },
} as const;
export type RateKind = keyof typeof rateLimits;

export type Rate =
  | { readonly state: 'too_few'; readonly missing: number }
  /** How many more reach the limit. */
  | { readonly state: 'below' | 'near'; readonly left: number }
  | { readonly state: 'reached'; readonly percent: number };

/** Near means four fifths of the limit, where the service writes a notice. */
const nearShare = 0.8;

/**
 * How far a rate is from its limit.
 *
 * @param counted how many of the emails bounced, or brought a complaint.
 */
export function rateOf(kind: RateKind, sent: number, counted: number): Rate {
  const { perMille, leastSent } = rateLimits[kind];
  if (sent < leastSent) return { state: 'too_few', missing: leastSent - sent };
  // In whole numbers: 5 % of 100 are exactly 5.
  const left = Math.ceil((perMille * sent) / 1_000) - counted;
  if (left <= 0) return { state: 'reached', percent: Math.round((counted / sent) * 10_000) / 100 };
  const isNear = counted * 1_000 >= nearShare * perMille * sent;
  return { state: isNear ? 'near' : 'below', left };
}
