import type { AttemptResult } from './attempt-delivery.ts';

/** Attempts that may be in flight to an endpoint we know nothing about yet. */
export const firstShare = 2;
/** Half of a run's concurrency, so no endpoint takes a whole run. */
export const maxShare = 128;

/** A delivery within this time is always quick. */
const quickMs = 1_000;

/**
 * One more if the endpoint took the message quickly, one fewer if it failed, or its host gets too many. While all goes
 * well, that doubles the share in the time of one answer (TCP slow start, RFC 5681 §3.1).
 *
 * An answer that takes more than twice the endpoint's quickest shows that messages queue up at the receiver. A larger
 * share would only make them wait longer.
 *
 * @param quickestMs the endpoint's quickest delivery in this run, including this one.
 */
export function shareAfter(
  share: number,
  result: AttemptResult,
  durationMs: number,
  quickestMs: number,
): number {
  if (result === 'rescheduled' || result === 'postponed') return Math.max(1, share - 1);
  const isQuick = durationMs <= Math.max(quickMs, 2 * quickestMs);
  return result === 'delivered' && isQuick ? Math.min(maxShare, share + 1) : share;
}
