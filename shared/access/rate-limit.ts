import { secondsUntil } from '#shared/errors/service-error';

const minuteMs = 60_000;

/**
 * Where a key with a per-minute cap stands. The cap is the key's own (`api-key.ts`); `rate-window-store.ts` counts.
 */
export type RateLimit = {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, epoch milliseconds. */
  readonly resetAt: number;
  readonly isExceeded: boolean;
};

/** The fixed window that `now` lies in, counted in minutes from the epoch. */
export const minuteOf = (now: number): number => Math.floor(now / minuteMs);

/** An organization's rate is judged over so many seconds, so that a burst may be ten times as fast. */
export const rateSpanSeconds = 10;

/** The span that `now` lies in, counted from the epoch. */
export const rateSpanOf = (now: number): number => Math.floor(now / (rateSpanSeconds * 1_000));

/** How long a caller over its organization's rate has to wait, in whole seconds. */
export const retryAfterSpanOf = (now: number): number =>
  secondsUntil((rateSpanOf(now) + 1) * rateSpanSeconds * 1_000, now);

const dayMs = 86_400_000;

/** The day that `now` lies in, in UTC, counted from the epoch. */
export const dayOf = (now: number): number => Math.floor(now / dayMs);

/** How long a caller over its daily cap has to wait, in whole seconds. */
export const retryAfterDayOf = (now: number): number => secondsUntil((dayOf(now) + 1) * dayMs, now);

/** What a window has once a request was counted, and whether the request's recipients fit it. */
export type WindowCount = { readonly count: number; readonly fits: boolean };

/** Judges the window after this request was counted; `count` includes it. */
export function rateLimitOf({ count, fits }: WindowCount, cap: number, now: number): RateLimit {
  return {
    limit: cap,
    remaining: Math.max(0, cap - count),
    resetAt: (minuteOf(now) + 1) * minuteMs,
    isExceeded: !fits,
  };
}

/** How long a caller over the cap has to wait, in whole seconds. */
export const retryAfterOf = (rateLimit: RateLimit, now: number): number =>
  secondsUntil(rateLimit.resetAt, now);
