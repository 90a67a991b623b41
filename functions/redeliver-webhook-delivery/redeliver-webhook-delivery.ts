import { defineEndpoint } from '#shared/endpoints/endpoint';
import { deliveryPath } from '#shared/endpoints/resource-paths';
import { exampleIds, examplePayload, exampleTime } from '#shared/tokens/example-values';
import { deliveryViewSchema, toDeliveryView } from '#shared/webhook-deliveries/delivery-view';
import {
  redelivers,
  redeliverWebhookDelivery,
} from '#shared/webhook-deliveries/redeliver-webhook-delivery';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/webhooks/deliveries/{id}/redeliver',
    access: { key: 'required', scope: ['webhooks_redeliver', 'manage_organization'] },
    ...deliveryPath,
    answers: {
      202: {
        body: deliveryViewSchema,
        description: 'The new delivery.',
        example: {
          id: exampleIds.delivery,
          messageId: exampleIds.webhookMessage,
          type: 'email.bounced',
          status: 'pending',
          attempts: [],
          redeliveryOf: exampleIds.delivery,
          createdAt: exampleTime,
          nextAttemptAt: exampleTime + 60_000,
          payload: examplePayload,
        },
      },
    },
    errors: ['webhook_not_found', 'delivery_limit_reached'],
    uses: { wakeQueue: wakesWebhooks },
    lambda: { stack: 'Webhooks', ...redelivers },
    words: {
      section: 'Webhooks',
      summary: 'Repeat a delivery',
      description:
        'Delivers the same message again, under the same `webhook-id`, to the endpoint as it is now, even while it is disabled.',
      fields: { id: 'The delivery to repeat. In the answer: the new one.' },
      example: { path: { id: exampleIds.delivery } },
    },
  },
  async (request, redelivering) =>
    toDeliveryView(await redeliverWebhookDelivery(request, redelivering), request.caller),
);
