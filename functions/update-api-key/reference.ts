import { apiKeyFields, exampleApiKey } from '#shared/access/api-key-reference';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'API keys',
  summary: 'Change an API key',
  description:
    'Changes the fields that the request has. `null` takes a cap or the end away. It counts at the next request of the key.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: apiKeyFields,
  example: { path: { id: exampleIds.apiKey }, body: { perMinuteCap: 60, validUntil: null } },
  answers: {
    200: {
      description: 'The key as it is now.',
      example: exampleApiKey,
    },
  },
  errors: [
    'key_confirmation_required',
    'api_key_not_found',
    'api_key_revoked',
    'last_manager_key',
    'concurrent_change',
  ],
} as const satisfies EndpointReference;
