import { deliveryIdOf } from '#shared/tokens/delivery-id';
import {
  feedbackIdOf,
  newOrganizationId,
  newWebhookId,
  newWebhookMessageId,
  organizationIdOf,
  type WebhookId,
} from '#shared/tokens/resource-id';
import { type Delivery, pendingDelivery } from '#shared/webhook-deliveries/delivery';
import { webhookBody } from '#shared/webhook-deliveries/outbox';
import type { Webhook } from '#shared/webhooks/webhook';
import { farExpiry } from '../../support/delivery-builder.ts';
import { newSendId } from '../../support/send-builder.ts';

export const webhookNow = 1_750_000_000_000;

/** `whsec_` and 24 bytes that a test can tell apart. */
export const buildSecret = (letter: string): string =>
  `whsec_${Buffer.from(letter.repeat(24)).toString('base64')}`;

/** An enabled endpoint that wants everything. */
export const buildWebhook = (overrides: Partial<Webhook> = {}): Webhook => ({
  id: newWebhookId(newOrganizationId()),
  url: 'https://receiver.example.com/hooks',
  eventTypes: [],
  tags: [],
  templates: [],
  description: '',
  secret: buildSecret('a'),
  previousSecrets: [],
  createdAt: webhookNow,
  updatedAt: webhookNow,
  ...overrides,
});

type DeliveryOverrides = Partial<Omit<Delivery, 'id' | 'webhookId'>> & {
  readonly webhookId?: WebhookId;
};

/** A delivery of an event that happened to a send of its own, created at `createdAt`, not yet attempted. */
export function buildDelivery(overrides: DeliveryOverrides = {}): Delivery {
  const { webhookId = newWebhookId(newOrganizationId()), createdAt = webhookNow } = overrides;
  const organizationId = organizationIdOf(webhookId);
  const parent = feedbackIdOf(newSendId(organizationId));
  const messageId = overrides.messageId ?? newWebhookMessageId(organizationId);
  return {
    ...pendingDelivery(createdAt, farExpiry),
    id: deliveryIdOf(parent, messageId, webhookId),
    messageId,
    type: 'email.delivered',
    body: webhookBody('email.delivered', createdAt, { to: 'ann@example.com' }),
    ...overrides,
    webhookId,
  };
}
