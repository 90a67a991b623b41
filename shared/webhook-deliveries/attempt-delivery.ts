import { capability } from '#shared/aws/capability';
import { deliveryEnvironment } from '#shared/config/environment';
import { fileNotice } from '#shared/notices/notice-filing';
import type { TableAndClock } from '#shared/table/table-client';
import {
  type EndpointHealth,
  isToBeDisabled,
  isToBeWarnedOf,
  saysGone,
} from '#shared/webhooks/endpoint-health';
import { mostAttempts, retryDelayMs } from '#shared/webhooks/retry-delay';
import { signMessage } from '#shared/webhooks/signature';
import { formatOf, inFormat } from '#shared/webhooks/signature-headers';
import { isSlow, isSlowForLong, SlowAnswers, slowAfterMs } from '#shared/webhooks/slow-answers';
import { changeTimeOf, signingSecretsOf, type Webhook } from '#shared/webhooks/webhook';
import {
  noteDelivered,
  noteExhausted,
  noteFailing,
  noteSlowness,
  noteWorking,
} from '#shared/webhooks/webhook-health-store';
import { disabledNotice, failingNotice } from '#shared/webhooks/webhook-notices';
import { replaceWebhook, type SharedReads } from '#shared/webhooks/webhook-store';
import { type AttemptOccasion, claimDelivery, settleDelivery } from './attempt-store.ts';
import { type Attempt, type Delivery, type DeliveryReference, isRedelivery } from './delivery.ts';
import { createHostPace } from './host-pace.ts';
import { createWebhookPoster, type PostOutcome, type WebhookPost } from './webhook-poster.ts';

// Duration of attempts: `config/environment.ts`. Lease: `delivery.ts`. Number and delays: `webhooks/retry-delay.ts`.

/** Posts to endpoints, and keeps what this process learns of them. */
export const postsWebhooks = /* @__PURE__ */ capability(
  { environment: deliveryEnvironment, deliversWebhooks: true },
  (environment) => ({
    random: Math.random,
    maxAttempts: environment.WEBHOOK_MAX_ATTEMPTS,
    slowAnswers: new SlowAnswers(),
    hosts: createHostPace(environment.WEBHOOKS_PER_SECOND_AND_HOST),
    post: createWebhookPoster(
      { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
      environment.WEBHOOK_TIMEOUT_MS,
    ),
  }),
);

export type Delivering = TableAndClock & {
  readonly posting: ReturnType<typeof postsWebhooks.open>;
  /** Attempts that run together share them. */
  readonly reads: SharedReads;
};

export type AttemptResult = 'delivered' | 'rescheduled' | 'failed' | 'not_claimed' | 'postponed';

/**
 * What the queue brings for a slow endpoint is postponed to the next scheduled run, and so is any attempt at a host that
 * gets too many (`host-pace.ts`). Nothing is attempted at a paused endpoint: its deliveries wait with the attempts they
 * have.
 *
 * Order of effects: claim (counts the attempt, takes a lease), POST, store the outcome. Dying before the POST uses up
 * the attempt; after it, the receiver gets the message again under the same `webhook-id`.
 */
export async function attemptDelivery(
  { id, webhookId }: DeliveryReference,
  occasion: AttemptOccasion,
  delivering: Delivering,
): Promise<AttemptResult> {
  const { table, now, reads } = delivering;
  const { hosts, maxAttempts: ofDeployment } = delivering.posting;
  const startedAt = now();
  const webhook = await reads.get(webhookId);
  const leavesQueue = occasion !== 'due' && webhook !== undefined && isSlow(webhook, startedAt);
  if (leavesQueue || webhook?.pausedAt !== undefined) return 'postponed';
  if (webhook !== undefined && !(await hosts.take(webhook.url, delivering))) return 'postponed';
  const claimed = await claimDelivery(table, id, occasion, startedAt);
  if (claimed === undefined) return 'not_claimed';
  const delivery = withLostAttempts(claimed, startedAt);
  const obstacle = obstacleTo(delivery, webhook, ofDeployment);
  if (webhook === undefined || obstacle !== undefined) {
    const failureReason = obstacle ?? 'endpoint_deleted';
    const outcome = { status: 'failed', attempts: delivery.attempts, failureReason } as const;
    await settleDelivery(table, claimed, outcome, startedAt);
    return 'failed';
  }
  return deliver(delivery, webhook, startedAt, delivering);
}

async function deliver(
  delivery: Delivery,
  webhook: Webhook,
  startedAt: number,
  delivering: Delivering,
): Promise<AttemptResult> {
  const { table, now } = delivering;
  const { random, maxAttempts } = delivering.posting;
  const { messageId, body } = delivery;
  const signed = signMessage(messageId, body, signingSecretsOf(webhook, startedAt), startedAt);
  const format = formatOf(body);
  const headers = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [inFormat(name, format), value]),
  );
  const posted = await postWatched({ url: webhook.url, body, headers }, webhook, delivering);
  const endedAt = now();
  const attempts = [...delivery.attempts, toAttempt(posted, startedAt, endedAt)];

  if (isSuccess(posted)) {
    await settleDelivery(table, delivery, { status: 'delivered', attempts }, endedAt);
    const { health, failingSince } = webhook;
    if (failingSince !== undefined) await noteWorking(table, webhook.id, failingSince);
    if (health !== undefined && !isRedelivery(delivery)) {
      await noteDelivered(table, webhook.id, health);
    }
    return 'delivered';
  }
  const isGone = posted.kind === 'answered' && saysGone(posted.statusCode);
  const isLast = delivery.attemptsStarted >= mostAttempts(webhook, maxAttempts);
  if (isGone || isLast) {
    const failureReason = isGone ? 'endpoint_gone' : 'attempts_exhausted';
    await settleDelivery(table, delivery, { status: 'failed', attempts, failureReason }, endedAt);
  } else {
    const retryAfterMs = posted.kind === 'answered' ? posted.retryAfterMs : undefined;
    const delayMs = retryDelayMs(webhook, delivery.attemptsStarted, random(), retryAfterMs);
    const dueAt = endedAt + delayMs;
    await settleDelivery(table, delivery, { status: 'pending', attempts, dueAt }, endedAt);
  }
  // Somebody is testing with a redelivery, so its failure doesn't count against the endpoint.
  if (!isRedelivery(delivery)) await countFailure(webhook, { isGone, isLast }, endedAt, delivering);
  return isGone || isLast ? 'failed' : 'rescheduled';
}

/**
 * Each `slowAfterMs` without an answer counts as a slow answer. It's noted while we still wait, so that other attempts
 * avoid the endpoint.
 */
async function postWatched(
  message: WebhookPost,
  webhook: Webhook,
  { table, now, posting: { post, slowAnswers } }: Delivering,
): Promise<PostOutcome> {
  const notes: Promise<void>[] = [];
  let isQuick = true;
  const note = () => {
    isQuick = false;
    const isException = !slowAnswers.counts(webhook.id);
    if (isException || isSlowForLong(webhook, now())) return;
    // A note that can't be written must not cost the attempt.
    notes.push(noteSlowness(table, webhook.id, now()).catch(() => {}));
  };
  const timer = setInterval(note, slowAfterMs);
  try {
    return await post(message);
  } finally {
    clearInterval(timer);
    if (isQuick) slowAnswers.noteQuick(webhook.id);
    await Promise.all(notes);
  }
}

/**
 * The rules are in `endpoint-health.ts`. An endpoint that isn't disabled is shown as failing.
 *
 * The delivery's outcome is stored first. A process that dies in between leaves it uncounted; one that dies after
 * counting leaves the endpoint for its next exhausted delivery to disable.
 */
async function countFailure(
  webhook: Webhook,
  { isGone, isLast }: { readonly isGone: boolean; readonly isLast: boolean },
  now: number,
  { table, reads }: Delivering,
): Promise<void> {
  // If the owner changes the webhook at the same moment, the owner wins.
  const disable = async (reason: 'gone' | 'failing', health?: EndpointHealth) => {
    const after = {
      ...webhook,
      disabled: { reason, at: now },
      updatedAt: changeTimeOf(webhook, now),
    };
    // One transaction, so no endpoint is disabled without a notice.
    const notice = disabledNotice(webhook, reason, health, now);
    await replaceWebhook(table, webhook, after, { notice }).finally(() => reads.forget(webhook.id));
  };
  if (isGone) return disable('gone');
  if (webhook.failingSince === undefined) await noteFailing(table, webhook, now);
  if (!isLast) return;
  const health = await noteExhausted(table, webhook.id, now);
  if (health === 'deleted' || health === 'contended') return;
  if (isToBeDisabled(health, now)) return disable('failing', health);
  if (isToBeWarnedOf(health, now)) await fileNotice(table, failingNotice(webhook, health, now));
}

/** Logs counted attempts that have no log entry because their processes died. */
function withLostAttempts(delivery: Delivery, now: number): Delivery {
  const lostCount = delivery.attemptsStarted - 1 - delivery.attempts.length;
  const lost: Attempt = { at: now, durationMs: 0, error: 'interrupted' };
  const attempts = [...delivery.attempts, ...Array.from({ length: lostCount }, () => lost)];
  return { ...delivery, attempts };
}

function obstacleTo(
  delivery: Delivery,
  webhook: Webhook | undefined,
  ofDeployment: number,
): string | undefined {
  if (webhook === undefined) return 'endpoint_deleted';
  if (webhook.disabled !== undefined && !isRedelivery(delivery)) return 'endpoint_disabled';
  // Its address may since be from somebody who mustn't read the audit.
  if (delivery.type === 'audit.recorded' && !webhook.eventTypes.includes(delivery.type)) {
    return 'event_not_wanted';
  }
  const most = mostAttempts(webhook, ofDeployment);
  return delivery.attemptsStarted > most ? 'attempts_exhausted' : undefined;
}

const isSuccess = (posted: PostOutcome): boolean =>
  posted.kind === 'answered' && posted.statusCode >= 200 && posted.statusCode < 300;

const toAttempt = (posted: PostOutcome, at: number, endedAt: number): Attempt =>
  posted.kind === 'answered'
    ? { at, durationMs: endedAt - at, statusCode: posted.statusCode, answer: posted.answer }
    : { at, durationMs: endedAt - at, error: posted.error };
