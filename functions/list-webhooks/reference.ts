import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';
import { exampleHealth } from '#shared/webhooks/webhook-reference';

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
        data: [
          {
            id: exampleIds.webhook,
            url: 'https://example.com/hooks/email',
            eventTypes: [],
            description: 'Orders',
            enabled: true,
            health: exampleHealth,
            createdAt: exampleTime,
            updatedAt: exampleTime,
          },
        ],
      },
    },
  },
} as const satisfies EndpointReference;
