import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Webhooks',
  summary: 'Send a webhook endpoint a test message',
  description: 'The message has the type `webhook.test`. It is signed and retried like any other.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: { id: 'The webhook endpoint; in the answer, the delivery.' },
  example: { path: { id: exampleIds.webhook } },
  answers: {
    202: {
      description: 'The delivery of the test message.',
      example: {
        id: exampleIds.delivery,
        messageId: exampleIds.webhookMessage,
        type: 'webhook.test',
        status: 'pending',
        attempts: [],
        createdAt: exampleTime,
        nextAttemptAt: exampleTime + 60_000,
      },
    },
  },
  errors: ['webhook_not_found', 'webhook_disabled'],
} as const satisfies EndpointReference;
