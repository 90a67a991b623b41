import { reviewPerMille } from '#shared/config/ses-settings';

const limitAt = (perMille: number) => ({ perMille, limit: `${perMille / 10}%` });

/**
 * Where AWS puts an account under review. It doesn't say how many emails it looks at. Among fewer than `leastSent`, a
 * single one says nothing: one bounce among 100 is 1%, one complaint among 1,000 is the whole limit.
 */
export const reviewRates = {
  bounced: { ...limitAt(reviewPerMille.bounced), leastSent: 100, one: 'hard bounce' },
  complained: { ...limitAt(reviewPerMille.complained), leastSent: 1_000, one: 'complaint' },
} as const;
export type RateKind = keyof typeof reviewRates;

export type Rate = { readonly percent: number } & (
  | { readonly state: 'too_few' | 'early'; readonly missing: number }
  /** How many more reach the limit. */
  | { readonly state: 'below' | 'near'; readonly left: number }
  | { readonly state: 'reached' }
);

/** Near means four fifths of the limit, where the service writes a notice. */
export const nearShare = 0.8;
/** A month with fewer recipients gets no notice: one bounce would say nothing. */
export const leastNotedRecipients = 100;

/**
 * In a small sample it's `reached` if it stays over the limit even if all the missing emails go well, `early` if it's
 * over the limit by more than one email, and `too_few` otherwise.
 *
 * @param counted how many of the emails bounced for good, or drew a complaint.
 */
export function rateOf(kind: RateKind, sent: number, counted: number): Rate {
  const { perMille, leastSent } = reviewRates[kind];
  const percent = percentOf(counted, sent);
  const isOver = counted > 0 && counted * 1_000 >= perMille * sent;
  if (sent < leastSent) {
    if (counted * 1_000 > perMille * leastSent) return { state: 'reached', percent };
    const state = isOver && counted > 1 ? 'early' : 'too_few';
    return { state, percent, missing: leastSent - sent };
  }
  if (isOver) return { state: 'reached', percent };
  // In whole numbers: 5% of 100 are exactly 5.
  const left = Math.ceil((perMille * sent) / 1_000) - counted;
  const isNear = counted * 1_000 >= nearShare * perMille * sent;
  return { state: isNear ? 'near' : 'below', percent, left };
}

/** Two digits. Events of emails from before the period can make it more than 100. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;

type Bounces = { readonly bounced: number; readonly soft_bounced?: number | undefined };

/** AWS counts only these bounces. */
export const hardBouncesOf = ({ bounced, soft_bounced: soft = 0 }: Bounces): number =>
  Math.max(0, bounced - soft);
