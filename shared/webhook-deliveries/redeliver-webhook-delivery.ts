import type * as z from 'zod/mini';
import type { Caller } from '#shared/access/admit-caller';
import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { type DayQuotas, limitDeliveries } from '#shared/access/limit-day';
import { outboxEnvironment } from '#shared/config/environment';
import { ServiceError } from '#shared/errors/service-error';
import type { Table } from '#shared/table/table-client';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import { type DeliveryId, type OrganizationId, ownId } from '#shared/tokens/resource-id';
import { findWebhook } from '#shared/webhooks/webhook-management';
import { openWebhookStore } from '#shared/webhooks/webhook-store';
import { type Delivery, redeliveryOf } from './delivery.ts';
import { openDeliveryStore } from './delivery-store.ts';
import { openRedeliveryStore } from './redelivery-store.ts';
import { createQueueWaker } from './sqs-delivery-queue.ts';

export const redelivers = {
  environment: outboxEnvironment,
  tableActions: ['ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
  wakesWebhookQueue: true,
  countsInDay: true,
} as const;

export const openRedelivering = (
  table: Table,
  environment: z.output<typeof outboxEnvironment>,
) => ({
  webhooks: openWebhookStore(table),
  deliveries: openDeliveryStore(table),
  redeliveries: openRedeliveryStore(table),
  dayQuotas: openDayQuotaStore(table),
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
});
export type Redelivering = ReturnType<typeof openRedelivering> &
  DayQuotas & { readonly now: () => number };

type OfDelivery = {
  readonly caller: Pick<Caller, 'organizationId' | 'ownLimits'>;
  readonly path: { readonly id: DeliveryId };
};

/**
 * Sends the same message, under the same `webhook-id`, to the webhook's current URL, whatever the first outcome.
 * Disabled webhooks get it too, so that their owners can see whether they work again. Health isn't affected.
 */
export async function redeliverWebhookDelivery(
  { caller, path: { id } }: OfDelivery,
  redelivering: Redelivering,
): Promise<Delivery> {
  const { organizationId } = caller;
  const { webhooks, redeliveries, wakeQueue, now } = redelivering;
  let original = await findDelivery(id, organizationId, redelivering);
  await findWebhook(original.webhookId, organizationId, webhooks);
  await limitDeliveries(caller, 1, now(), redelivering);
  for (;;) {
    const redelivery = redeliveryOf(original, newDeliveryId(id), now());
    const outcome = await redeliveries.put(original, redelivery);
    if (outcome === 'stored') {
      await wakeQueue([redelivery]);
      return redelivery;
    }
    original = await findDelivery(id, organizationId, redelivering);
  }
}

/** @throws ServiceError `delivery_not_found` */
export async function findDelivery(
  id: DeliveryId,
  organizationId: OrganizationId,
  { deliveries, now }: Pick<Redelivering, 'deliveries' | 'now'>,
): Promise<Delivery> {
  const deliveryId = ownId(id, organizationId);
  const delivery = deliveryId && (await deliveries.get(deliveryId, now()));
  if (delivery === undefined) throw new ServiceError('delivery_not_found');
  return delivery;
}
