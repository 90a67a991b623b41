import { limitDeliveries } from '#shared/access/limit-day';
import { knowsRetention } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import { retentionDaysOf } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import { expiryAfter } from '#shared/table/expiry';
import { deliveryIdOf } from '#shared/tokens/delivery-id';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { newWebhookMessageId } from '#shared/tokens/resource-id';
import { type Delivery, pendingDelivery } from '#shared/webhook-deliveries/delivery';
import { createDelivery } from '#shared/webhook-deliveries/delivery-store';
import { deliveryViewSchema, toDeliveryView } from '#shared/webhook-deliveries/delivery-view';
import { webhookBody } from '#shared/webhook-deliveries/outbox';
import { resendTestMessage } from '#shared/webhook-deliveries/resend-message';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { findWebhook } from '#shared/webhooks/webhook-management';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/webhooks/{id}/test',
    access: { key: 'required', scope: ['webhooks_manage', 'manage_organization'] },
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
    errors: ['webhook_disabled', 'webhook_paused', 'delivery_limit_reached'],
    uses: { wakeQueue: wakesWebhooks, sendRetentionDays: knowsRetention },
    lambda: {
      stack: 'Webhooks',
      tableActions: ['GetItem', 'PutItem'],
      countsInDay: true,
    },
    words: {
      section: 'Webhooks',
      summary: 'Send a webhook endpoint a test message',
      description: 'The message has type `webhook.test`. It is signed and retried like any other.',
      fields: { id: 'The webhook endpoint. In the answer: the delivery.' },
      example: { path: { id: exampleIds.webhook } },
    },
  },
  // A message without an event, but signed, retried and logged like any other.
  async (
    { caller, path: { id } },
    { table, now: readClock, limitsOfDeployment, wakeQueue, sendRetentionDays },
  ) => {
    const { organizationId } = caller;
    const [webhook, organization] = await Promise.all([
      findWebhook(table, id, organizationId),
      getOrganization(table, organizationId),
    ]);
    if (webhook.disabled !== undefined) throw new ServiceError('webhook_disabled');
    if (webhook.pausedAt !== undefined) throw new ServiceError('webhook_paused');
    const now = readClock();
    await limitDeliveries(caller, 1, now, { table, limitsOfDeployment });
    const days = retentionDaysOf(organization, sendRetentionDays);
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
    await createDelivery(table, delivery);
    await wakeQueue([delivery]);
    return toDeliveryView(delivery, caller);
  },
);
