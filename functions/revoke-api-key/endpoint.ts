import { endsApiKey } from '#shared/access/manage-api-keys';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { apiKeyPath } from '#shared/endpoints/resource-paths';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint({
  route: 'DELETE /api/v1/api-keys/{id}',
  access: { key: 'required', scope: 'manage_organization' },
  ...apiKeyPath,
  answers: { 204: { description: 'The key is revoked.' } },
  errors: ['last_manager_key', 'concurrent_change'],
  lambda: { stack: 'Account', ...endsApiKey },
  words: {
    section: 'API keys',
    summary: 'Revoke an API key',
    description:
      'The key’s next request is refused. Revoking is final, and revoking again changes nothing. A key may revoke itself, unless it is the last one that can manage the organization.',
    fields: { id: 'The ID of the API key.' },
    example: { path: { id: exampleIds.apiKey } },
  },
});
