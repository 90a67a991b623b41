import type { DeliveryId } from '#shared/tokens/resource-id';
import type { Delivery } from './delivery.ts';
import { pendingDelivery } from './outbox.ts';

/** The same message to the same endpoint once more: a delivery of its own, with attempts of its own. */
export const redeliveryOf = (original: Delivery, id: DeliveryId, now: number): Delivery => ({
  ...pendingDelivery(now, original.expiresAt),
  id,
  webhookId: original.webhookId,
  messageId: original.messageId,
  type: original.type,
  body: original.body,
});
