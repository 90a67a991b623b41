import { secondsUntil } from '#shared/errors/service-error';
import { dayMs } from '#shared/timing/day';

// Time arithmetic of limits, and the `Retry-After` of each. The rules are in `limit-sending.ts` and `limit-day.ts`. API
// Gateway's own 429, for a route's throttle, has no `Retry-After`.

const minuteMs = 60_000;

export type RateLimit = {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch milliseconds. */
  readonly resetAt: number;
  readonly isExceeded: boolean;
};

/** In minutes since the epoch. */
export const minuteOf = (now: number): number => Math.floor(now / minuteMs);

export const minuteStartOf = (now: number): number => minuteOf(now) * minuteMs;

/** An organization's rate is averaged over this many seconds, so a burst may be ten times as fast. */
export const rateSpanSeconds = 10;

/** In spans since the epoch. */
export const rateSpanOf = (now: number): number => Math.floor(now / (rateSpanSeconds * 1_000));

/** For an organization's `sendsPerSecond`. */
export const retryAfterSpanOf = (now: number): number =>
  secondsUntil((rateSpanOf(now) + 1) * rateSpanSeconds * 1_000, now);

export const dayNumberOf = (now: number): number => Math.floor(now / dayMs);

/** For a key's daily cap, and all of an organization's daily limits. */
export const retryAfterDayOf = (now: number): number =>
  secondsUntil((dayNumberOf(now) + 1) * dayMs, now);

export type WindowCount = { readonly count: number; readonly fits: boolean };

/** `count` includes this request. */
export function rateLimitOf({ count, fits }: WindowCount, cap: number, now: number): RateLimit {
  return {
    limit: cap,
    remaining: Math.max(0, cap - count),
    resetAt: (minuteOf(now) + 1) * minuteMs,
    isExceeded: !fits,
  };
}

/** For a key's cap per minute. */
export const retryAfterOf = (rateLimit: RateLimit, now: number): number =>
  secondsUntil(rateLimit.resetAt, now);
