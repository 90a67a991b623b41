import { outboxEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { deliveryViewSchema } from '#shared/webhook-deliveries/delivery-view';

export const endpoint = defineEndpoint({
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
