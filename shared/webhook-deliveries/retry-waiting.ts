import type { Caller } from '#shared/access/admit-caller';
import { ServiceError } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import { inParallel } from '#shared/timing/in-parallel';
import { type DeliveryId, ownId, type WebhookId } from '#shared/tokens/resource-id';
import type { Webhook } from '#shared/webhooks/webhook';
import { findWebhook } from '#shared/webhooks/webhook-management';
import { type Delivery, isRedelivery } from './delivery.ts';
import { getDelivery } from './delivery-store.ts';
import type { WakeQueue } from './sqs-delivery-queue.ts';
import { hasBeenTried } from './waiting.ts';
import { findWaiting, makeDueNow } from './waiting-store.ts';

type Of<Id> = {
  readonly caller: Pick<Caller, 'organizationId'>;
  readonly path: { readonly id: Id };
};

/**
 * Makes one waiting delivery due now and wakes the queue for it. If an attempt is under way, or it's due already, that's
 * what was asked for. Dying before the wake leaves it to the scheduled run.
 */
export async function retryDelivery(
  { caller: { organizationId }, path: { id } }: Of<DeliveryId>,
  { table, now: readClock, wakeQueue }: TableAndClock & { readonly wakeQueue: WakeQueue },
): Promise<Delivery> {
  const deliveryId = ownId(id, organizationId);
  const found = deliveryId && (await getDelivery(table, deliveryId, readClock()));
  if (found === undefined) throw new ServiceError('delivery_not_found');
  const { webhookId } = found;
  requireTakes(await findWebhook(table, webhookId, organizationId), found);
  let delivery: Delivery = found;
  for (;;) {
    const now = readClock();
    if (delivery.status !== 'pending') throw new ServiceError('delivery_not_waiting');
    const isUnderWay = delivery.leaseExpiresAt !== undefined && delivery.leaseExpiresAt >= now;
    if (isUnderWay) return delivery;
    if (delivery.dueAt <= now) break;
    const outcome = await makeDueNow(table, delivery, now);
    if (outcome.existing === undefined) throw new ServiceError('delivery_not_found');
    delivery = outcome.existing;
    if (outcome.isMade) break;
  }
  await wakeQueue([{ id: delivery.id, webhookId, isRetry: true }]);
  return delivery;
}

/** Read per shard and request: first attempts, which don't need this, may come before what waits. */
const readPerShard = 500;
/** Made due per shard and request. */
const madeDuePerShard = 50;
const concurrency = 16;

/**
 * Makes deliveries due that wait for a later attempt, those due first at first, as many as one request may write. The
 * scheduled run attempts them, with the endpoint's share and its host's pace: a receiver that has just come back isn't
 * flooded.
 *
 * @returns how many, and whether others wait: repeat it then. The index shows what was made due a moment later, so a
 *   repetition may read it again: it changes nothing, isn't counted, and others wait behind it (`retry-rounds.ts`).
 */
export async function retryWaiting(
  { caller: { organizationId }, path: { id } }: Of<WebhookId>,
  { table, now }: TableAndClock,
): Promise<{ readonly retried: number; readonly hasMore: boolean }> {
  requireTakes(await findWebhook(table, id, organizationId));
  const pages = await findWaiting(table, id, now() + 1, readPerShard);
  const waiting = pages.map(({ entries }) => entries.filter(hasBeenTried));
  const batch = waiting.flatMap((entries) => entries.slice(0, madeDuePerShard));
  let retried = 0;
  await inParallel(batch, concurrency, async (entry) => {
    const { isMade } = await makeDueNow(table, entry, now());
    if (isMade) retried += 1;
  });
  const hasMore =
    pages.some((page) => page.hasMore) ||
    waiting.some((entries) => entries.length > madeDuePerShard);
  return { retried, hasMore };
}

/** What waits at a disabled endpoint fails at its next attempt, but for redeliveries. */
function requireTakes({ pausedAt, disabled }: Webhook, delivery?: Delivery): void {
  if (pausedAt !== undefined) throw new ServiceError('webhook_paused');
  const isWelcome = delivery !== undefined && isRedelivery(delivery);
  if (disabled !== undefined && !isWelcome) throw new ServiceError('webhook_disabled');
}
