import { type DayQuotas, limitDeliveries } from '#shared/access/limit-day';
import type { AnswerTo, RequestTo } from '#shared/endpoints/endpoint';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { mostExamined } from '#shared/table/list-search';
import { dayMs } from '#shared/timing/day';
import { inParallel } from '#shared/timing/in-parallel';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import { type Delivery, longestTriedMs, redeliveryOf } from '#shared/webhook-deliveries/delivery';
import {
  type DeliveryLogStore,
  logPositionSchema,
  readDeliveryLog,
} from '#shared/webhook-deliveries/delivery-log-store';
import type { RedeliveryStore } from '#shared/webhook-deliveries/redelivery-store';
import { findWebhook, type WebhookManagement } from '#shared/webhooks/webhook-management';
import type { endpoint } from './endpoint.ts';

type FailedRedelivering = WebhookManagement &
  DayQuotas & {
    readonly deliveryLogs: DeliveryLogStore;
    readonly redeliveries: RedeliveryStore;
    /** Of a delivery, in this deployment. */
    readonly maxAttempts: number;
  };

/**
 * Repeats deliveries that weren't repeated before, newest first, as many as one request may examine. One transaction
 * stores a redelivery and marks its original, so nothing is repeated twice.
 *
 * This doesn't wake the queue: the scheduled run makes the redeliveries within a minute. It limits each endpoint's
 * share, so a receiver that has just come back isn't flooded, and no first attempt waits behind hundreds of old
 * deliveries.
 *
 * A disabled webhook gets them too; their outcomes don't affect its health.
 */
export async function redeliverFailedDeliveries(
  { caller, path: { id }, body: { since, cursor } }: RequestTo<typeof endpoint>,
  redelivering: FailedRedelivering,
): Promise<AnswerTo<typeof endpoint>> {
  const { organizationId, cursorOwner: owner } = caller;
  await findWebhook(id, organizationId, redelivering.webhooks);
  const scope = { list: `webhooks/${id}/redeliver-failed`, owner, filters: { since } };
  const before = openCursor(cursor, logPositionSchema, scope);
  // The log is by creation. A schedule that stood still for up to a day has made deliveries fail later.
  const earliest = since - longestTriedMs(redelivering.maxAttempts) - dayMs;
  const { deliveries, next } = await readDeliveryLog(
    {
      ...{ webhookId: id, before, limit: mostExamined },
      since: earliest,
      matches: (delivery) => isToBeRedelivered(delivery) && delivery.updatedAt >= since,
    },
    redelivering,
  );
  const counted = await limitDeliveries(
    caller,
    deliveries.length,
    redelivering.now(),
    redelivering,
  );
  const redelivered = await redeliverAll(deliveries, redelivering);
  // Requests beside this one repeated the others.
  if (redelivered < deliveries.length) await counted.giveBack(deliveries.length - redelivered);
  return { redelivered, nextCursor: sealCursor(next, scope) };
}

const isToBeRedelivered = ({ status, redeliveredAs }: Delivery): boolean =>
  status === 'failed' && redeliveredAs === undefined;

const concurrency = 16;

/** @returns how many redeliveries were stored. */
async function redeliverAll(
  deliveries: readonly Delivery[],
  { now, redeliveries }: FailedRedelivering,
): Promise<number> {
  let stored = 0;
  await inParallel(deliveries, concurrency, async (original) => {
    const dueAt = now();
    const redelivery = redeliveryOf(original, newDeliveryId(original.id), dueAt);
    const outcome = await redeliveries.putFirst(original, { ...redelivery, dueAt });
    if (outcome === 'stored') stored += 1;
  });
  return stored;
}
