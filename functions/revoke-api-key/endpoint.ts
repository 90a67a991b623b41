import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/endpoints/example-values';
import { apiKeyIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'DELETE /api/v1/api-keys/{id}',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({ id: apiKeyIdSchema }),
  unmatchedPath: 'api_key_not_found',
  answers: { 204: { description: 'The key is revoked.' } },
  errors: ['api_key_not_found', 'last_manager_key', 'concurrent_change'],
  lambda: {
    stack: 'Account',
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
  },
  words: {
    section: 'API keys',
    summary: 'Revoke an API key',
    description:
      'The key’s next request is refused. Revoking is final, and revoking again changes nothing. A key may revoke itself, unless it is the last one that can manage the organization.',
    fields: { id: 'The id of the API key.' },
    example: { path: { id: exampleIds.apiKey } },
  },
});
