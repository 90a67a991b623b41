import type { WebhookId } from '#shared/tokens/resource-id';
import type { Webhook } from './webhook.ts';

/** A slower answer counts as slow; one that takes twice as long counts twice, and so on. */
export const slowAfterMs = 3_000;

const slowWindowMs = 60_000;
const slowAnswersInWindow = 10;
const longestSlowMs = 120_000;

/**
 * First attempts at a slow endpoint are left to the scheduled run, which limits each endpoint's share. Otherwise the
 * queue's functions would all wait for it.
 */
export const isSlow = ({ slowUntil }: Pick<Webhook, 'slowUntil'>, now: number): boolean =>
  slowUntil !== undefined && slowUntil > now;

/** So slow that further slow answers needn't be counted. */
export const isSlowForLong = (webhook: Pick<Webhook, 'slowUntil'>, now: number): boolean =>
  isSlow(webhook, now + longestSlowMs / 2);

/**
 * A slow answer at `now` moves `slowUntil` later, by `addedMs`. This is a leaky bucket (the generic cell rate
 * algorithm, ITU-T I.371) that loses ten slow answers a minute. If `slowUntil` is a minute ago, it's empty. If it's
 * now, it holds ten. If it's later, it holds more, and the endpoint is slow until then.
 */
export const slownessAt = (now: number) => ({
  addedMs: slowWindowMs / slowAnswersInWindow,
  /** The bucket is empty if `slowUntil` is absent or no later than this. */
  empty: now - slowWindowMs,
  /** The bucket is full if `slowUntil` is no earlier than this: the answer adds nothing. */
  full: now + longestSlowMs,
});

/** One slow answer among this many is an exception, and says nothing about its endpoint. */
const answersPerException = 20;

/**
 * Tells slow endpoints from those with an occasional slow answer, by the answers this process saw: most are quick, and
 * counting them here costs no write.
 */
export class SlowAnswers {
  readonly #quickSince = new Map<WebhookId, number>();

  noteQuick(id: WebhookId): void {
    const before = this.#quickSince.get(id) ?? 0;
    this.#quickSince.set(id, Math.min(before + 1, answersPerException));
  }

  /** `false` while at most one in twenty of the endpoint's answers is slow. */
  counts(id: WebhookId): boolean {
    const quick = this.#quickSince.get(id) ?? 0;
    this.#quickSince.delete(id);
    return quick + 1 < answersPerException;
  }
}
