import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'API keys',
  summary: 'List API keys',
  description:
    'Newest first, without their texts. A key that has ended is listed for 30 days more. A key of the last second may be missing.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    id: 'The id of the API key.',
    scopes: 'What the key may do. Empty: the default, to send and to manage templates.',
    status: '`active`, `revoked` or `expired`.',
    validUntil:
      'When it ends by itself, in epoch milliseconds. A request may give ISO 8601 with a time zone instead.',
    key: 'The text of the key. Shown once.',
  },
  example: { query: { limit: '20' } },
  answers: {
    200: {
      description: 'A page of keys.',
      example: {
        data: [
          {
            id: exampleIds.apiKey,
            name: 'billing',
            scopes: ['send_email'],
            perMinuteCap: 60,
            dailyCap: 5_000,
            createdAt: exampleTime,
            updatedAt: exampleTime,
            status: 'active',
          },
        ],
        nextCursor: null,
      },
    },
  },
} as const satisfies EndpointReference;
