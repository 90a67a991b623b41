import { endsApiKey, revocationQuery, revokeApiKey } from '#shared/access/manage-api-keys';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { apiKeyPath } from '#shared/endpoints/resource-paths';
import { exampleApiKeyId, resendApiKeyWords } from '#shared/resend/api-keys';
import { deleted, deletedSchema, managementDeclaration } from '#shared/resend/management';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'DELETE /resend/api-keys/{id}',
    ...apiKeyPath,
    query: revocationQuery,
    answers: {
      200: {
        body: deletedSchema('api_key'),
        description: 'The key is revoked.',
        example: { ...exampleApiKeyId, deleted: true },
      },
    },
    errors: ['last_manager_key', 'concurrent_change'],
    lambda: { stack: 'Resend', ...endsApiKey },
    words: {
      section: 'Resend',
      summary: 'Delete an API key, as with Resend',
      description:
        'Revokes it, as `DELETE /api/v1/api-keys/{id}` does. Resend has no `leaked`: with `?leaked=true`, emails that the key scheduled don’t go out.',
      fields: {
        ...resendApiKeyWords,
        leaked: '`true`: someone else has the key, so its waiting emails must not go out.',
      },
      example: { path: { id: exampleIds.apiKey } },
    },
  },
  async (request, revoking) => {
    await revokeApiKey(request, revoking);
    return deleted('api_key', request.path.id);
  },
);
