import type { WebhookId } from '#shared/tokens/resource-id';
import type { Webhook } from './webhook.ts';

/** An answer that takes longer than this is slow; one that takes twice as long counts twice, and so on. */
export const slowAfterMs = 3_000;

/** An endpoint is slow when its slow answers within a minute count more than ten. */
const slowWindowMs = 60_000;
const slowAnswersInWindow = 10;
const longestSlowMs = 120_000;

/**
 * Whether an endpoint was slow to answer lately. The scheduled run then makes the first attempts at it,
 * because the run limits the share of each endpoint. Else the functions of the queue would all wait for
 * the slow endpoint, and the others would get nothing.
 */
export const isSlow = ({ slowUntil }: Pick<Webhook, 'slowUntil'>, now: number): boolean =>
  slowUntil !== undefined && slowUntil > now;

/** Whether an endpoint stays slow for so long that there is no need to count further slow answers. */
export const isSlowForLong = (webhook: Pick<Webhook, 'slowUntil'>, now: number): boolean =>
  isSlow(webhook, now + longestSlowMs / 2);

/**
 * How a slow answer at the moment `now` moves `slowUntil`. It fills a bucket that leaks (the generic cell
 * rate algorithm, ITU-T I.371): `slowUntil` is the moment when the bucket is down to the ten answers that
 * a minute may have. So it lies in the past until there are more of them.
 */
export const slownessAt = (now: number) => ({
  /** What one answer adds to `slowUntil`. */
  addedMs: slowWindowMs / slowAnswersInWindow,
  /** The bucket is empty when `slowUntil` is absent or not later than this. */
  empty: now - slowWindowMs,
  /** The bucket is full when `slowUntil` is not earlier than this: the answer adds nothing. */
  full: now + longestSlowMs,
});

/** One slow answer among this many is an exception, and says nothing of its endpoint. */
const answersPerException = 20;

/**
 * Tells slow endpoints from those with a slow answer now and then, by the answers that this process saw.
 * Quick answers are the rule, so they are counted here and cost no write.
 */
export class SlowAnswers {
  readonly #quickSince = new Map<WebhookId, number>();

  noteQuick(id: WebhookId): void {
    const before = this.#quickSince.get(id) ?? 0;
    this.#quickSince.set(id, Math.min(before + 1, answersPerException));
  }

  /** Whether a slow answer counts: not when it is one in twenty of its endpoint's answers, or rarer. */
  counts(id: WebhookId): boolean {
    const quick = this.#quickSince.get(id) ?? 0;
    this.#quickSince.delete(id);
    return quick + 1 < answersPerException;
  }
}
