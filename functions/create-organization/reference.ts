import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';
import { exampleOrganization } from '#shared/organizations/organization-reference';

export const reference = {
  section: 'Operator',
  summary: 'Create an organization',
  description:
    'The answer shows the text of its first API key in `apiKey.key`, this once. That key has every scope.',
  access: 'operator_secret',
  fields: {
    organization: 'The organization.',
    apiKey: 'Its first API key.',
    'apiKey.name': 'The name of the key.',
  },
  example: { body: { name: 'Example Ltd' } },
  answers: {
    201: {
      description: 'The organization, and its first key.',
      example: {
        organization: exampleOrganization,
        apiKey: {
          id: exampleIds.apiKey,
          name: 'First key',
          scopes: ['manage_organization'],
          key: exampleIds.apiKeyText,
          createdAt: exampleTime,
        },
      },
    },
  },
} as const satisfies EndpointReference;
