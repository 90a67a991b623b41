import { type Delivery, redeliveryOf } from '#shared/deliveries/delivery';
import type { DeliveryStore } from '#shared/deliveries/delivery-store';
import type { RedeliveryStore } from '#shared/deliveries/redelivery-store';
import type { WakeQueue } from '#shared/deliveries/sqs-delivery-queue';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import { type DeliveryId, type OrganizationId, ownId } from '#shared/tokens/resource-id';
import { findWebhook, type WebhookManagement } from '#shared/webhooks/webhook-management';
import type { endpoint } from './endpoint.ts';

export type Redelivering = WebhookManagement & {
  readonly deliveries: DeliveryStore;
  readonly redeliveries: RedeliveryStore;
  readonly wakeQueue: WakeQueue;
};

/**
 * Repeats one delivery, whatever its outcome: sends the same message, under the same `webhook-id`, to the webhook's
 * present URL. A disabled webhook gets it too: how else would its owner know that it works again? The outcome leaves
 * the webhook's health alone.
 */
export async function redeliverWebhookDelivery(
  { caller: { organizationId }, path: { id } }: RequestTo<typeof endpoint>,
  redelivering: Redelivering,
): Promise<Delivery> {
  const { webhooks, redeliveries, wakeQueue, now } = redelivering;
  for (;;) {
    const original = await findDelivery(id, organizationId, redelivering);
    await findWebhook(original.webhookId, organizationId, webhooks);
    const redelivery = redeliveryOf(original, newDeliveryId(id), now());
    const outcome = await redeliveries.put(original, redelivery);
    if (outcome === 'original_changed') continue;
    await wakeQueue([redelivery]);
    return redelivery;
  }
}

async function findDelivery(
  id: DeliveryId,
  organizationId: OrganizationId,
  { deliveries, now }: Redelivering,
): Promise<Delivery> {
  const deliveryId = ownId(id, organizationId);
  const delivery = deliveryId && (await deliveries.get(deliveryId, now()));
  if (delivery === undefined) throw new ServiceError('delivery_not_found');
  return delivery;
}
