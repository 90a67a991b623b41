import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Operator',
  summary: 'List organizations',
  description: 'Newest first.',
  access: 'operator_secret',
  example: { query: { limit: '20' } },
  answers: {
    200: {
      description: 'A page of organizations.',
      example: {
        data: [
          {
            id: exampleIds.organization,
            name: 'Example Ltd',
            paused: false,
            attachmentsEnabled: false,
            createdAt: exampleTime,
            updatedAt: exampleTime,
          },
        ],
        nextCursor: null,
      },
    },
  },
} as const satisfies EndpointReference;
