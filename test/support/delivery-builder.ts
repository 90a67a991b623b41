import {
  type ContactId,
  type FeedbackId,
  newNonce,
  newOrganizationId,
  newWebhookId,
  organizationIdOf,
  sendIdOf,
  slotIdOf,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import type { EmailWebhookEvent } from '#shared/webhook-deliveries/webhook-event';

/** The year 2100, later than the clock of any test. Epoch seconds. */
export const farExpiry = 4_102_444_800;

/** Something that happened to an email from Shop to Ann. */
export const buildEmailEvent = (overrides: Partial<EmailWebhookEvent> = {}): EmailWebhookEvent => ({
  type: 'email.delivered',
  key: 'event-1',
  at: 1_700_000_000_000,
  data: {
    sendId: sendIdOf(slotIdOf(newOrganizationId(), undefined), newNonce()),
    to: 'ann@example.com',
    subject: 'Hi',
    policyKey: 'bulk',
  },
  send: { from: 'Shop <a@shop.example>', createdAt: 1_699_999_940_000 },
  ...overrides,
});

/** One delivery, not yet attempted, of an event that happened to the send or contact. */
export function buildDeliveries(parent: FeedbackId | ContactId, key = 'event-1'): Delivery[] {
  const webhookId = newWebhookId(organizationIdOf(parent));
  const event = buildEmailEvent({ key });
  const owner = { parent, expiresAt: farExpiry };
  return deliveriesOf(event, owner, { [webhookId]: { eventTypes: [] } }, event.at);
}
