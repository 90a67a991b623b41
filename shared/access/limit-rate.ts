import { ServiceError } from '#shared/errors/service-error';
import type { ApiKey } from './api-key.ts';
import { type RateLimit, rateLimitOf, retryAfterDayOf, retryAfterOf } from './rate-limit.ts';
import type { RateWindowStore } from './rate-window-store.ts';

/**
 * SES counts and bills recipients, so the caps do, too. A refused request counts as one. What the minute refuses
 * doesn't count towards the day, or a program that retries too fast would use up its day without sending an email.
 *
 * @param recipients how many people the email goes to; 1 for a request that can't be sent.
 * @param onRateLimit gets the state of the per-minute cap, if there is one.
 */
export async function limitRate(
  { id, perMinuteCap, dailyCap }: ApiKey,
  recipients: number,
  now: number,
  rateWindows: RateWindowStore,
  onRateLimit: (rateLimit: RateLimit) => void,
): Promise<void> {
  if (perMinuteCap !== undefined) {
    const rateLimit = rateLimitOf(
      await rateWindows.count(id, now, { recipients, cap: perMinuteCap }),
      perMinuteCap,
      now,
    );
    onRateLimit(rateLimit);
    if (rateLimit.isExceeded) {
      const cap = { most: perMinuteCap, per: 'a minute' };
      throw limited(cap, recipients, retryAfterOf(rateLimit, now));
    }
  }
  if (dailyCap !== undefined) {
    const { fits } = await rateWindows.countOfDay(id, now, { recipients, cap: dailyCap });
    if (!fits) {
      throw limited({ most: dailyCap, per: 'a day (UTC)' }, recipients, retryAfterDayOf(now));
    }
  }
}

type Cap = { readonly most: number; readonly per: string };

/** Waiting only helps an email that fits the cap. With 429, a client would forever repeat one that never fits. */
function limited({ most, per }: Cap, recipients: number, retryAfterSeconds: number): ServiceError {
  if (recipients > most) {
    return new ServiceError(
      'recipients_exceed_cap',
      `This API key may send to ${most} ${most === 1 ? 'recipient' : 'recipients'} ${per}, and this request has ${recipients}: it never fits. Nothing was sent: split it, or have the cap raised.`,
    );
  }
  return new ServiceError(
    'rate_limited',
    `This API key may send to ${most} ${most === 1 ? 'recipient' : 'recipients'} ${per}. Nothing was sent: wait for Retry-After, then retry with the same Idempotency-Key.`,
    { retryAfterSeconds },
  );
}
