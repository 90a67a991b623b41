import type { DeliveryId, WebhookId } from '#shared/tokens/resource-id';
import { type Attempt, type Delivery, type DeliveryReference, retryDelayMs } from './delivery.ts';
import type { DeliveryOutcome } from './delivery-store.ts';
import { signMessage } from './signature.ts';
import {
  isDead,
  isSlow,
  signingSecretsOf,
  slowAfterMs,
  slowUntilFrom,
  type Webhook,
} from './webhook.ts';
import type { PostOutcome, WebhookPost, WebhookPoster } from './webhook-poster.ts';

export type AttemptDependencies = {
  readonly now: () => number;
  readonly random: () => number;
  readonly maxAttempts: number;
  readonly claim: (
    id: DeliveryId,
    when: 'first' | 'due',
    now: number,
  ) => Promise<Delivery | undefined>;
  readonly getWebhook: (id: WebhookId) => Promise<Webhook | undefined>;
  readonly post: WebhookPoster;
  readonly settle: (delivery: Delivery, outcome: DeliveryOutcome, now: number) => Promise<void>;
  readonly noteSlowness: (id: WebhookId, until: number) => Promise<void>;
  readonly noteSuccess: (id: WebhookId) => Promise<void>;
  readonly noteFailure: (id: WebhookId, now: number) => Promise<void>;
  readonly disable: (webhook: Webhook, reason: 'gone' | 'failing', now: number) => Promise<void>;
};

export type AttemptResult = 'delivered' | 'rescheduled' | 'failed' | 'not_claimed' | 'postponed';

const gone = 410;

/**
 * Makes one attempt at a delivery, unless it is a first one at an endpoint that is slow: that is left
 * to the scheduled run.
 *
 * Order of effects: claim (the attempt is counted, under a lease), POST, store the outcome. A process
 * that dies before the POST costs the attempt; one that dies after it makes the receiver hear the
 * message again, under the same `webhook-id`.
 */
export async function attemptDelivery(
  { id, webhookId }: DeliveryReference,
  when: 'first' | 'due',
  dependencies: AttemptDependencies,
): Promise<AttemptResult> {
  const startedAt = dependencies.now();
  const webhook = await dependencies.getWebhook(webhookId);
  if (when === 'first' && webhook !== undefined && isSlow(webhook, startedAt)) return 'postponed';
  const claimed = await dependencies.claim(id, when, startedAt);
  if (claimed === undefined) return 'not_claimed';
  const delivery = withLostAttempts(claimed, startedAt);
  const obstacle = obstacleTo(delivery, webhook, dependencies.maxAttempts);
  if (webhook === undefined || obstacle !== undefined) {
    const failureReason = obstacle ?? 'endpoint_deleted';
    const { attempts } = delivery;
    await dependencies.settle(claimed, { status: 'failed', attempts, failureReason }, startedAt);
    return 'failed';
  }
  return deliver(delivery, webhook, startedAt, dependencies);
}

async function deliver(
  delivery: Delivery,
  webhook: Webhook,
  startedAt: number,
  dependencies: AttemptDependencies,
): Promise<AttemptResult> {
  const { now, settle, random, maxAttempts } = dependencies;
  const { messageId, body } = delivery;
  const headers = signMessage(messageId, body, signingSecretsOf(webhook, startedAt), startedAt);
  const posted = await postWatched({ url: webhook.url, body, headers }, webhook, dependencies);
  const endedAt = now();
  const attempts = [...delivery.attempts, toAttempt(posted, startedAt, endedAt)];

  if (isSuccess(posted)) {
    await settle(delivery, { status: 'delivered', attempts }, endedAt);
    if (webhook.failingSince !== undefined) await dependencies.noteSuccess(webhook.id);
    return 'delivered';
  }
  const isGone = posted.kind === 'answered' && posted.statusCode === gone;
  const isLast = delivery.attemptsStarted >= maxAttempts;
  if (isGone || isLast) {
    const failureReason = isGone ? 'endpoint_gone' : 'attempts_exhausted';
    await settle(delivery, { status: 'failed', attempts, failureReason }, endedAt);
  } else {
    const retryAfterMs = posted.kind === 'answered' ? posted.retryAfterMs : undefined;
    const delay = retryDelayMs(delivery.attemptsStarted, random(), retryAfterMs);
    await settle(delivery, { status: 'pending', attempts, dueAt: endedAt + delay }, endedAt);
  }
  await judgeHealth(webhook, { isGone, isLast }, endedAt, dependencies);
  return isGone || isLast ? 'failed' : 'rescheduled';
}

/** Posts, and notes that the endpoint is slow as soon as it is: others must not wait for its time-out. */
async function postWatched(
  message: WebhookPost,
  webhook: Webhook,
  { post, now, noteSlowness }: AttemptDependencies,
): Promise<PostOutcome> {
  let noting: Promise<void> | undefined;
  const note = () => {
    // Not worth an attempt: who comes next notes it again.
    noting = noteSlowness(webhook.id, slowUntilFrom(now())).catch(() => {});
  };
  const timer = setTimeout(note, slowAfterMs);
  try {
    return await post(message);
  } finally {
    clearTimeout(timer);
    await noting;
  }
}

/**
 * 410 ends an endpoint at once. So do five days of nothing but failures, when a delivery has used up its
 * attempts in them: one failure on either side of a quiet week is no dead endpoint.
 */
async function judgeHealth(
  webhook: Webhook,
  { isGone, isLast }: { readonly isGone: boolean; readonly isLast: boolean },
  now: number,
  { noteFailure, disable }: AttemptDependencies,
): Promise<void> {
  if (isGone) return disable(webhook, 'gone', now);
  if (isLast && isDead(webhook, now)) return disable(webhook, 'failing', now);
  if (webhook.failingSince === undefined) await noteFailure(webhook.id, now);
}

/** Attempts that were counted and left no trace died on the way; their answers, if any, are lost. */
function withLostAttempts(delivery: Delivery, now: number): Delivery {
  const traceless = delivery.attemptsStarted - 1 - delivery.attempts.length;
  const lost: Attempt = { at: now, durationMs: 0, error: 'interrupted' };
  const attempts = [...delivery.attempts, ...Array.from({ length: traceless }, () => lost)];
  return { ...delivery, attempts };
}

function obstacleTo(
  delivery: Delivery,
  webhook: Webhook | undefined,
  maxAttempts: number,
): string | undefined {
  if (webhook === undefined) return 'endpoint_deleted';
  if (webhook.disabled !== undefined) return 'endpoint_disabled';
  return delivery.attemptsStarted > maxAttempts ? 'attempts_exhausted' : undefined;
}

const isSuccess = (posted: PostOutcome): boolean =>
  posted.kind === 'answered' && posted.statusCode >= 200 && posted.statusCode < 300;

const toAttempt = (posted: PostOutcome, at: number, endedAt: number): Attempt =>
  posted.kind === 'answered'
    ? { at, durationMs: endedAt - at, statusCode: posted.statusCode, answer: posted.answer }
    : { at, durationMs: endedAt - at, error: posted.error };
