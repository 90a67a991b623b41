import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'API keys',
  summary: 'Revoke an API key',
  description:
    'Its next request is refused. A revoked key stays so. A key may revoke itself, unless nobody could manage the organization then.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: { id: 'The id of the API key.' },
  example: { path: { id: exampleIds.apiKey } },
  answers: { 204: { description: 'The key is revoked.' } },
  errors: ['api_key_not_found', 'last_manager_key', 'concurrent_change'],
} as const satisfies EndpointReference;
