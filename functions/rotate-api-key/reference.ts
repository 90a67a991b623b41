import { apiKeyFields, exampleApiKey } from '#shared/access/api-key-reference';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'API keys',
  summary: 'Rotate an API key',
  description:
    'Makes a successor with the name, the scopes, the caps and the lifetime of the key. The key is valid until the overlap ends. A key has one successor: if the answer with its text was lost, rotate the successor. The body may be left out.',
  access: { key: 'required', scope: 'manage_organization' },
  isBodyOptional: true,
  fields: {
    ...apiKeyFields,
    overlapHours: 'How long the key is still valid beside its successor. With 0 it ends at once.',
    id: 'The key to rotate; in the answer, its successor.',
  },
  example: { path: { id: exampleIds.apiKey }, body: { overlapHours: 24 } },
  answers: {
    201: {
      description: 'The successor, with its text.',
      example: { ...exampleApiKey, key: exampleIds.apiKeyText },
    },
  },
  errors: [
    'key_confirmation_required',
    'api_key_not_found',
    'api_key_revoked',
    'api_key_rotated',
    'too_many_api_keys',
    'concurrent_change',
  ],
} as const satisfies EndpointReference;
