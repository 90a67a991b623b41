import { ServiceError } from '#shared/errors/service-error';
import { authenticateManager } from '#shared/organizations/authenticate-manager';
import {
  deliveryIdSchema,
  newDeliveryId,
  type OrganizationId,
  readOwnId,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import type { WebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { findWebhook, requireEnabled } from '#shared/webhooks/manage-webhook';
import { redeliveryOf } from '#shared/webhooks/redelivery';

export type RedeliverDependencies = Pick<
  WebhookDependencies,
  'now' | 'apiKeys' | 'getWebhook' | 'getDelivery' | 'putRedelivery'
> & { readonly wakeQueue: (deliveries: readonly Delivery[]) => Promise<void> };

/**
 * Replays one delivery, whatever came of it: the same message, under the same `webhook-id`, to the
 * endpoint as it is now.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `delivery_not_found`, `webhook_not_found`,
 *   `webhook_disabled`
 */
export async function redeliverWebhookDelivery(
  credential: string | undefined,
  id: string,
  dependencies: RedeliverDependencies,
): Promise<Delivery> {
  const organizationId = await authenticateManager(credential, dependencies);
  const original = await findDelivery(id, organizationId, dependencies);
  requireEnabled(await findWebhook(original.webhookId, organizationId, dependencies));
  const redelivery = redeliveryOf(original, newDeliveryId(original.id), dependencies.now());
  await dependencies.putRedelivery(original, redelivery);
  await dependencies.wakeQueue([redelivery]);
  return redelivery;
}

async function findDelivery(
  id: string,
  organizationId: OrganizationId,
  { getDelivery, now }: RedeliverDependencies,
): Promise<Delivery> {
  const deliveryId = readOwnId(deliveryIdSchema, id, organizationId);
  const delivery = deliveryId && (await getDelivery(deliveryId, now()));
  if (delivery === undefined) {
    throw new ServiceError('delivery_not_found', 'There is no delivery with this id.');
  }
  return delivery;
}
