import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { webhookEventOf } from '#shared/sending/send-webhook-event';
import { expiryAfter } from '#shared/table/expiry';
import type { Table } from '#shared/table/table-client';
import {
  feedbackIdOf,
  newWebhookId,
  type OrganizationId,
  organizationIdOf,
  type WebhookId,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { toDeliveryItem } from '#shared/webhook-deliveries/delivery-store';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { newWebhookSecret } from '#shared/webhooks/signature';
import type { Webhook } from '#shared/webhooks/webhook';
import { createWebhook } from '#shared/webhooks/webhook-store';
import { anyEntry } from '../support/audit-entry-builder.ts';
import { newSendId } from '../support/send-builder.ts';
import { sesMessageId } from '../support/ses-event-builder.ts';
import { sampleEmail } from './sends.ts';

/** BatchWriteItem takes so many. */
const batchSize = 25;

/** Stores deliveries for an endpoint, due in a minute. */
export async function storeDeliveries(
  table: Table,
  webhookId: WebhookId,
  count: number,
): Promise<Delivery[]> {
  const deliveries = Array.from({ length: count }, () => newDelivery(webhookId));
  for (let start = 0; start < count; start += batchSize) {
    const batch = deliveries.slice(start, start + batchSize);
    const requests = batch.map((delivery) => ({ PutRequest: { Item: toDeliveryItem(delivery) } }));
    await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: requests } }));
  }
  return deliveries;
}

/** A delivery of an event of its own, as the event intake makes it. */
function newDelivery(webhookId: WebhookId): Delivery {
  const now = Date.now();
  const id = newSendId(organizationIdOf(webhookId));
  const { to: toEmail, subject } = sampleEmail;
  const event = webhookEventOf(
    {
      ...{ id, fromEmail: 'shop@example.com', toEmail, moreTo: [], cc: [] },
      suppressedRecipients: [],
      ...{ subject, policyKey: 'transactional', createdAt: now },
    },
    { type: 'delivered', ts: now, providerMessageId: sesMessageId(now) },
  );
  const owner = { parent: feedbackIdOf(id), expiresAt: expiryAfter(now, 90) };
  const subscriptions = { [webhookId]: { eventTypes: [] } };
  const [delivery] = deliveriesOf(event, owner, subscriptions, now);
  if (delivery === undefined) throw new Error('Nobody wants the event');
  return delivery;
}

/** Stores an endpoint; without types it wants every event. */
export async function putEndpoint(
  table: Table,
  organizationId: OrganizationId,
  url: string,
  eventTypes: Webhook['eventTypes'] = [],
): Promise<Webhook> {
  const now = Date.now();
  const webhook: Webhook = {
    id: newWebhookId(organizationId),
    url,
    eventTypes,
    tags: [],
    templates: [],
    description: '',
    secret: newWebhookSecret(),
    previousSecrets: [],
    createdAt: now,
    updatedAt: now,
  };
  await createWebhook(table, webhook, anyEntry());
  return webhook;
}
