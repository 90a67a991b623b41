import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';
import { exampleWebhook } from '#shared/webhooks/webhook-reference';

export const reference = {
  section: 'Webhooks',
  summary: 'Change a webhook endpoint',
  description: 'Changes the fields that the request has. `{"enabled": true}` enables it again.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    url: '`https://`, with port 443 or one from 1024 up, without credentials and fragment, and not to a private address.',
  },
  example: {
    path: { id: exampleIds.webhook },
    body: { eventTypes: ['email.bounced', 'email.complained'] },
  },
  answers: {
    200: {
      description: 'The webhook endpoint as it is now, without its secret.',
      example: {
        ...exampleWebhook,
        eventTypes: ['email.bounced', 'email.complained'],
        updatedAt: exampleTime + 60_000,
      },
    },
  },
  errors: ['webhook_not_found', 'too_many_webhooks', 'concurrent_change'],
} as const satisfies EndpointReference;
