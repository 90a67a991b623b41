import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleWebhook } from '#shared/webhooks/webhook-reference';

export const reference = {
  section: 'Webhooks',
  summary: 'List webhook endpoints',
  description: 'All of them, oldest first, without their secrets.',
  access: { key: 'required', scope: 'manage_organization' },
  example: {},
  answers: {
    200: {
      description: 'The webhook endpoints.',
      example: {
        data: [exampleWebhook],
      },
    },
  },
} as const satisfies EndpointReference;
