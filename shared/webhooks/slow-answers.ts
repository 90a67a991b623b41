import type { WebhookId } from '#shared/tokens/resource-id';

// From when on an answer is slow: `webhook.ts`.

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
