import { apiKeyFields, exampleApiKey } from '#shared/access/api-key-reference';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'API keys',
  summary: 'Create an API key',
  description: 'The answer shows the text of the key in `key`, this once.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: apiKeyFields,
  example: { body: { name: 'billing', scopes: ['send_email'], perMinuteCap: 60, dailyCap: 5_000 } },
  answers: {
    201: {
      description: 'The key, with its text.',
      example: { ...exampleApiKey, key: exampleIds.apiKeyText },
    },
  },
  errors: ['key_confirmation_required', 'too_many_api_keys'],
} as const satisfies EndpointReference;
