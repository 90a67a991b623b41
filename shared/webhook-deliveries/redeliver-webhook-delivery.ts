import type { Caller } from '#shared/access/admit-caller';
import { limitDeliveries } from '#shared/access/limit-day';
import { ServiceError } from '#shared/errors/service-error';
import type { GivenLimits } from '#shared/organizations/limits-in-force';
import type { Table, TableAndClock } from '#shared/table/table-client';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import { type DeliveryId, type OrganizationId, ownId } from '#shared/tokens/resource-id';
import { findWebhook } from '#shared/webhooks/webhook-management';
import { type Delivery, redeliveryOf } from './delivery.ts';
import { getDelivery } from './delivery-store.ts';
import { storeRedelivery } from './redelivery-store.ts';
import type { WakeQueue } from './sqs-delivery-queue.ts';

export const redelivers = {
  tableActions: ['ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
  countsInDay: true,
} as const;

type Redelivering = TableAndClock & {
  readonly limitsOfDeployment: GivenLimits;
  readonly wakeQueue: WakeQueue;
};

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
  { table, now, limitsOfDeployment, wakeQueue }: Redelivering,
): Promise<Delivery> {
  const { organizationId } = caller;
  let original = await findDelivery(table, id, organizationId, now());
  await findWebhook(table, original.webhookId, organizationId);
  await limitDeliveries(caller, 1, now(), { table, limitsOfDeployment });
  for (;;) {
    const redelivery = redeliveryOf(original, newDeliveryId(id), now());
    const outcome = await storeRedelivery(table, original, redelivery);
    if (outcome === 'stored') {
      await wakeQueue([redelivery]);
      return redelivery;
    }
    original = await findDelivery(table, id, organizationId, now());
  }
}

async function findDelivery(
  table: Table,
  id: DeliveryId,
  organizationId: OrganizationId,
  now: number,
): Promise<Delivery> {
  const deliveryId = ownId(id, organizationId);
  const delivery = deliveryId && (await getDelivery(table, deliveryId, now));
  if (delivery === undefined) throw new ServiceError('delivery_not_found');
  return delivery;
}
