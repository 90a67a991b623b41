import { defineEndpoint } from '#shared/endpoints/endpoint';
import { deliveryPath } from '#shared/endpoints/resource-paths';
import { exampleIds, examplePayload, exampleTime } from '#shared/tokens/example-values';
import { deliveryViewSchema, toDeliveryView } from '#shared/webhook-deliveries/delivery-view';
import { retryDelivery } from '#shared/webhook-deliveries/retry-waiting';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/webhooks/deliveries/{id}/retry',
    access: { key: 'required', scope: ['webhooks_redeliver', 'manage_organization'] },
    ...deliveryPath,
    answers: {
      202: {
        body: deliveryViewSchema,
        description: 'The delivery, which is due now.',
        example: {
          id: exampleIds.delivery,
          messageId: exampleIds.webhookMessage,
          type: 'email.bounced',
          status: 'pending',
          attempts: [
            {
              at: exampleTime + 200,
              durationMs: 31,
              statusCode: 502,
              answer: '<h1>Bad Gateway</h1>',
            },
          ],
          createdAt: exampleTime,
          nextAttemptAt: exampleTime + 30_000,
          payload: examplePayload,
        },
      },
    },
    errors: ['webhook_not_found', 'webhook_disabled', 'webhook_paused', 'delivery_not_waiting'],
    uses: { wakeQueue: wakesWebhooks },
    lambda: { stack: 'Webhooks', tableActions: ['GetItem', 'UpdateItem'] },
    words: {
      section: 'Webhooks',
      summary: 'Retry a waiting delivery now',
      description:
        'Its next attempt is made at once instead of later; if the endpoint is slow or its host gets too many, within a minute. It stays the same delivery and keeps the attempts it has had, so this uses one of them. One that has ended is repeated with `redeliver` instead.',
      fields: { id: 'The delivery.' },
      example: { path: { id: exampleIds.delivery } },
    },
  },
  async (request, retrying) =>
    toDeliveryView(await retryDelivery(request, retrying), request.caller),
);
