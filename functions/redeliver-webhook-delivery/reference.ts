import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Webhooks',
  summary: 'Repeat a delivery',
  description:
    'Makes a new delivery of the same message, under the same `webhook-id`, to the endpoint as it is now, also while it is disabled.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: { id: 'The delivery to repeat; in the answer, the new one.' },
  example: { path: { id: exampleIds.delivery } },
  answers: {
    202: {
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
      },
    },
  },
  errors: ['delivery_not_found', 'webhook_not_found'],
} as const satisfies EndpointReference;
