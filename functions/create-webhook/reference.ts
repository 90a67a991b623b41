import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleWebhook } from '#shared/webhooks/webhook-reference';

export const reference = {
  section: 'Webhooks',
  summary: 'Register a webhook endpoint',
  description:
    'The endpoint is enabled at once, and has a secret of its own. The answer shows the secret, this once. An organization has at most 20 endpoints.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    url: '`https://`, with port 443 or one from 1024 up, without credentials and fragment, and not to a private address.',
  },
  example: {
    body: {
      url: 'https://example.com/hooks/email',
      eventTypes: ['email.bounced', 'email.complained'],
      description: 'Orders',
    },
  },
  answers: {
    201: {
      description: 'The webhook endpoint, with its secret.',
      example: {
        ...exampleWebhook,
        eventTypes: ['email.bounced', 'email.complained'],
        secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      },
    },
  },
  errors: ['too_many_webhooks'],
} as const satisfies EndpointReference;
