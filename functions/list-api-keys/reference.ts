import { apiKeyFields, exampleApiKey } from '#shared/access/api-key-reference';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'API keys',
  summary: 'List API keys',
  description:
    'Newest first, without their texts. A key that has ended is listed for 30 days more. A key of the last second may be missing.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: apiKeyFields,
  example: { query: { limit: '20' } },
  answers: {
    200: {
      description: 'A page of keys.',
      example: {
        data: [exampleApiKey],
        nextCursor: null,
      },
    },
  },
} as const satisfies EndpointReference;
