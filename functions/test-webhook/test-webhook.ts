import type * as z from 'zod/mini';
import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { type DayQuotas, limitDeliveries } from '#shared/access/limit-day';
import { outboxEnvironment } from '#shared/config/environment';
import { defineEndpoint, type RequestTo } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import { retentionDaysOf } from '#shared/organizations/organization';
import {
  type OrganizationStore,
  openOrganizationStore,
} from '#shared/organizations/organization-store';
import { expiryAfter } from '#shared/table/expiry';
import type { Table } from '#shared/table/table-client';
import { deliveryIdOf } from '#shared/tokens/delivery-id';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { newWebhookMessageId } from '#shared/tokens/resource-id';
import { type Delivery, pendingDelivery } from '#shared/webhook-deliveries/delivery';
import { type DeliveryStore, openDeliveryStore } from '#shared/webhook-deliveries/delivery-store';
import { deliveryViewSchema, toDeliveryView } from '#shared/webhook-deliveries/delivery-view';
import { webhookBody } from '#shared/webhook-deliveries/outbox';
import { resendTestMessage } from '#shared/webhook-deliveries/resend-message';
import { createQueueWaker, type WakeQueue } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { findWebhook, type WebhookManagement } from '#shared/webhooks/webhook-management';
import { openWebhookStore } from '#shared/webhooks/webhook-store';

type WebhookTesting = WebhookManagement &
  DayQuotas & {
    readonly organizations: Pick<OrganizationStore, 'get'>;
    readonly deliveries: DeliveryStore;
    readonly wakeQueue: WakeQueue;
    /** The organization's own setting may be shorter. */
    readonly sendRetentionDays: number;
  };

const declaration = defineEndpoint({
  route: 'POST /api/v1/webhooks/{id}/test',
  access: { key: 'required', scope: 'manage_organization' },
  ...webhookPath,
  answers: {
    202: {
      body: deliveryViewSchema,
      description: 'The delivery of the test message.',
      example: {
        id: exampleIds.delivery,
        messageId: exampleIds.webhookMessage,
        type: 'webhook.test',
        status: 'pending',
        attempts: [],
        createdAt: exampleTime,
        nextAttemptAt: exampleTime + 60_000,
        payload: '{"type":"webhook.test","timestamp":"2026-11-21T09:00:00.000Z","data":{}}',
      },
    },
  },
  errors: ['webhook_disabled', 'delivery_limit_reached'],
  uses: (table: Table, environment: z.infer<typeof outboxEnvironment>) => ({
    webhooks: openWebhookStore(table),
    organizations: openOrganizationStore(table),
    deliveries: openDeliveryStore(table),
    dayQuotas: openDayQuotaStore(table),
    wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
    sendRetentionDays: environment.SEND_RETENTION_DAYS,
  }),
  lambda: {
    environment: outboxEnvironment,
    stack: 'Webhooks',
    tableActions: ['GetItem', 'PutItem'],
    countsInDay: true,
    wakesWebhookQueue: true,
  },
  words: {
    section: 'Webhooks',
    summary: 'Send a webhook endpoint a test message',
    description: 'The message has type `webhook.test`. It is signed and retried like any other.',
    fields: { id: 'The webhook endpoint. In the answer: the delivery.' },
    example: { path: { id: exampleIds.webhook } },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, testing) =>
  toDeliveryView(await testWebhook(request, testing)),
);

/** A message without an event, but signed, retried and logged like any other. */
export async function testWebhook(
  { caller, path: { id } }: RequestTo<typeof declaration>,
  testing: WebhookTesting,
): Promise<Delivery> {
  const { organizationId } = caller;
  const { webhooks, organizations, deliveries, wakeQueue, now: readClock } = testing;
  const [webhook, organization] = await Promise.all([
    findWebhook(id, organizationId, webhooks),
    organizations.get(organizationId),
  ]);
  if (webhook.disabled !== undefined) throw new ServiceError('webhook_disabled');
  const now = readClock();
  await limitDeliveries(caller, 1, now, testing);
  const days = retentionDaysOf(organization, testing.sendRetentionDays);
  const messageId = newWebhookMessageId(organizationId);
  const delivery: Delivery = {
    ...pendingDelivery(now, expiryAfter(now, days)),
    id: deliveryIdOf(id, messageId, id),
    webhookId: id,
    messageId,
    type: 'webhook.test',
    body:
      webhook.format === 'resend'
        ? resendTestMessage(id, now)
        : webhookBody('webhook.test', now, { webhookId: id }),
  };
  await deliveries.putNew(delivery);
  await wakeQueue([delivery]);
  return delivery;
}
