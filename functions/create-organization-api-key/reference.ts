import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Operator',
  summary: 'Create an API key for an organization',
  description:
    'For an organization that lost its last key. The key has every scope. The answer shows its text, this once.',
  access: 'operator_secret',
  fields: { id: 'The organization; in the answer, the API key.' },
  example: { path: { id: exampleIds.organization } },
  answers: {
    201: {
      description: 'The key, with its text.',
      example: {
        id: exampleIds.apiKey,
        name: 'First key',
        scopes: ['manage_organization'],
        key: exampleIds.apiKeyText,
        createdAt: exampleTime,
      },
    },
  },
  errors: ['organization_not_found'],
} as const satisfies EndpointReference;
