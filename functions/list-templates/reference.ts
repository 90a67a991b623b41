import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Templates',
  summary: 'List templates',
  description: 'Newest first, without bodies.',
  isBeta: true,
  access: { key: 'required' },
  example: { query: { limit: '20' } },
  answers: {
    200: {
      description: 'A page of templates.',
      example: {
        data: [
          {
            id: exampleIds.template,
            name: 'receipt',
            subject: 'Receipt {{order.id}}',
            version: 1,
            createdAt: exampleTime,
            updatedAt: exampleTime,
          },
        ],
        nextCursor: null,
      },
    },
  },
} as const satisfies EndpointReference;
