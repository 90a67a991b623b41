import { authenticateManager } from '#shared/access/authenticate';
import { type Delivery, redeliveryOf } from '#shared/deliveries/delivery';
import type { DeliveryStore } from '#shared/deliveries/delivery-store';
import type { RedeliveryStore } from '#shared/deliveries/redelivery-store';
import type { WakeQueue } from '#shared/deliveries/sqs-delivery-queue';
import { ServiceError } from '#shared/errors/service-error';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import { type DeliveryId, type OrganizationId, ownId } from '#shared/tokens/resource-id';
import { findWebhook } from '#shared/webhooks/find-webhook';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';

export type DeliveryReplay = WebhookManagement & {
  readonly deliveries: DeliveryStore;
  readonly redeliveries: RedeliveryStore;
  readonly wakeQueue: WakeQueue;
};

/**
 * Replays one delivery, whatever its outcome: it sends the same message, under the same `webhook-id`, to
 * the webhook's present URL. A disabled webhook gets it too: how else would its owner know that it works
 * again? Its outcome leaves the webhook's health alone.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `delivery_not_found`, `webhook_not_found`
 */
export async function redeliverWebhookDelivery(
  credential: string | undefined,
  id: DeliveryId | undefined,
  replay: DeliveryReplay,
): Promise<Delivery> {
  const { organizationId } = await authenticateManager(credential, replay);
  for (;;) {
    const original = await findDelivery(id, organizationId, replay);
    await findWebhook(original.webhookId, organizationId, replay.webhooks);
    const redelivery = redeliveryOf(original, newDeliveryId(original.id), replay.now());
    const outcome = await replay.redeliveries.put(original, redelivery);
    if (outcome === 'original_changed') continue;
    await replay.wakeQueue([redelivery]);
    return redelivery;
  }
}

async function findDelivery(
  id: DeliveryId | undefined,
  organizationId: OrganizationId,
  { deliveries, now }: DeliveryReplay,
): Promise<Delivery> {
  const deliveryId = ownId(id, organizationId);
  const delivery = deliveryId && (await deliveries.get(deliveryId, now()));
  if (delivery === undefined) {
    throw new ServiceError('delivery_not_found', 'There is no delivery with this id.');
  }
  return delivery;
}
