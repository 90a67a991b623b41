import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Recipients',
  summary: 'List contacts by address',
  description:
    'In the order of their addresses. Who was erased is not in it, and a contact of the last seconds may be missing. A page may have fewer contacts than `limit`, or none, and still a `nextCursor`.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    prefix: 'How the address begins, in any case.',
    'data.id': 'The id of the contact.',
    'data.email': 'The address.',
    suppressedFor:
      'Why the address gets no email: `bounce`, `complaint`, `manual` or `unsubscribe`. Empty: it does.',
  },
  example: { query: { prefix: 'bob@', limit: '20' } },
  answers: {
    200: {
      description: 'A page of contacts.',
      example: {
        data: [
          {
            id: exampleIds.contact,
            email: 'bob@example.com',
            suppressedFor: ['bounce'],
            createdAt: exampleTime,
            updatedAt: exampleTime,
          },
        ],
        nextCursor: null,
      },
    },
  },
} as const satisfies EndpointReference;
