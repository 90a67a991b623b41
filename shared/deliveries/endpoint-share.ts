import type { AttemptResult } from './attempt-delivery.ts';

/** How many attempts at one endpoint may be under way when nothing is known of it. */
export const firstShare = 2;
/** The most. It is half of a run, so that no endpoint takes a run for itself. */
export const mostShare = 128;

/** A delivery within this time is quick in any case. */
const quickMs = 1_000;

/**
 * The share of an endpoint after an attempt: one more when the endpoint took the message quickly, one
 * fewer when it failed. While all goes well that doubles the share in the time of one answer (TCP calls
 * it slow start, RFC 5681 §3.1). An endpoint that hangs loses its share with its first answers.
 *
 * An answer that takes more than twice the endpoint's quickest says that its messages queue up at the
 * receiver. More of them at a time would only make them wait longer, up to the time-out.
 *
 * @param quickestMs the endpoint's quickest delivery so far in this run, this one included.
 */
export function shareAfter(
  share: number,
  result: AttemptResult,
  durationMs: number,
  quickestMs: number,
): number {
  if (result === 'rescheduled') return Math.max(1, share - 1);
  const isQuick = durationMs <= Math.max(quickMs, 2 * quickestMs);
  return result === 'delivered' && isQuick ? Math.min(mostShare, share + 1) : share;
}
