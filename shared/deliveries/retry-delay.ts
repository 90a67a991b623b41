import { backoffCeiling } from '#shared/timing/backoff';

// How many attempts there are: `config/environment.ts`.

const firstDelayMs = 60_000;
const longestDelayMs = 3_600_000;

/**
 * How long to wait after attempt number `attempt` (from 1) before the next one: 1, 5 and 25 minutes,
 * then an hour each time, less a random tenth at most. A longer `Retry-After` is respected up to an hour.
 *
 * @param jitter in [0, 1): random, so that deliveries that failed together are not retried together.
 */
export function retryDelayMs(attempt: number, jitter: number, retryAfterMs = 0): number {
  const backoff = backoffCeiling(attempt, firstDelayMs, longestDelayMs, 5);
  const asked = Math.min(longestDelayMs, retryAfterMs);
  return Math.max(asked, Math.round(backoff * (1 - jitter / 10)));
}
