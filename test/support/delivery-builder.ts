import type { Delivery } from '#shared/deliveries/delivery';
import { deliveriesOf } from '#shared/deliveries/outbox';
import {
  type ContactId,
  type FeedbackId,
  newWebhookId,
  organizationIdOf,
} from '#shared/tokens/resource-id';

/** The year 2100, later than the clock of any test. Epoch seconds. */
export const farExpiry = 4_102_444_800;

/** One delivery, not yet attempted, of an event that happened to the send or contact. */
export function buildDeliveries(parent: FeedbackId | ContactId, key = 'event-1'): Delivery[] {
  const webhookId = newWebhookId(organizationIdOf(parent));
  const event = { type: 'email.delivered', key, at: 1_700_000_000_000, data: {} } as const;
  const owner = { parent, expiresAt: farExpiry };
  return deliveriesOf(event, owner, { [webhookId]: { eventTypes: [] } }, event.at);
}
