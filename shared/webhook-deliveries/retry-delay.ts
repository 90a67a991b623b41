import { backoffCeiling } from '#shared/timing/backoff';
import { firstAttemptGraceMs, leaseMs } from './delivery.ts';

const firstDelayMs = 60_000;
const longestDelayMs = 3_600_000;

/**
 * How long to wait after attempt `attempt` (from 1): 1, 5 and 25 minutes, then an hour each time, minus up to a tenth
 * at random. A longer `Retry-After` is respected up to an hour.
 *
 * @param jitter in [0, 1), so that deliveries that failed together aren't retried together.
 */
export function retryDelayMs(attempt: number, jitter: number, retryAfterMs = 0): number {
  const backoff = backoffCeiling(attempt, firstDelayMs, longestDelayMs, 5);
  const asked = Math.min(longestDelayMs, retryAfterMs);
  return Math.max(asked, Math.round(backoff * (1 - jitter / 10)));
}

/** From a delivery's creation until its last attempt has failed, if each answer asks for the longest delay. */
export const longestTriedMs = (maxAttempts: number): number =>
  firstAttemptGraceMs + maxAttempts * (leaseMs + longestDelayMs);
