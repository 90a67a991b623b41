import {
  type ContactId,
  type FeedbackId,
  newWebhookId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { deliveriesOf } from '#shared/webhooks/outbox';

/** One delivery, not yet attempted, of an event of its own that happened to the send or contact. */
export function buildDeliveries(parent: FeedbackId | ContactId, key = 'event-1'): Delivery[] {
  const webhookId = newWebhookId(organizationIdOf(parent));
  const event = { type: 'email.delivered', key, at: 1_700_000_000_000, data: {} } as const;
  return deliveriesOf(event, parent, { [webhookId]: { eventTypes: [] } }, event.at);
}
