import { ServiceError } from '#shared/errors/service-error';
import type { ApiKey } from './api-key.ts';
import { type RateLimit, rateLimitOf, retryAfterDayOf, retryAfterOf } from './rate-limit.ts';
import type { RateWindowStore } from './rate-window-store.ts';

/**
 * Counts a request towards the caps of its key. What the minute refuses does not count towards the day: a
 * program that retries too fast would use up its day without an email.
 *
 * @param onRateLimit hears where the cap of the minute stands, if there is one.
 * @throws ServiceError `rate_limited`
 */
export async function limitRate(
  { id, perMinuteCap, dailyCap }: ApiKey,
  now: number,
  rateWindows: RateWindowStore,
  onRateLimit: (rateLimit: RateLimit) => void,
): Promise<void> {
  if (perMinuteCap !== undefined) {
    const rateLimit = rateLimitOf(await rateWindows.count(id, now), perMinuteCap, now);
    onRateLimit(rateLimit);
    if (rateLimit.isExceeded)
      throw limited(`${perMinuteCap} requests a minute`, retryAfterOf(rateLimit, now));
  }
  if (dailyCap !== undefined && (await rateWindows.countOfDay(id, now)) > dailyCap) {
    throw limited(`${dailyCap} requests a day (UTC)`, retryAfterDayOf(now));
  }
}

const limited = (cap: string, retryAfterSeconds: number): ServiceError =>
  new ServiceError(
    'rate_limited',
    `This API key may make ${cap}. Nothing was sent: wait for Retry-After, then retry with the same Idempotency-Key.`,
    { retryAfterSeconds },
  );
