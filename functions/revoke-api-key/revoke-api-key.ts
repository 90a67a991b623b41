import { endsApiKey, revocationQuery, revokeApiKey } from '#shared/access/manage-api-keys';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { apiKeyPath } from '#shared/endpoints/resource-paths';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/api-keys/{id}',
    access: { key: 'required', scope: ['sending_keys_manage', 'manage_organization'] },
    ...apiKeyPath,
    query: revocationQuery,
    answers: { 204: { description: 'The key is revoked.' } },
    errors: ['last_manager_key', 'concurrent_change'],
    lambda: { stack: 'Account', ...endsApiKey },
    words: {
      section: 'API keys',
      summary: 'Revoke an API key',
      description:
        'The key’s next request is refused. Revoking is final, and revoking again changes nothing, except that a revoked key can still be marked as leaked. A key can revoke itself, unless it’s the last one that can manage the organization.\n\nEmails that it scheduled or queued still go out. With `?leaked=true` none does, even if it’s rescheduled: when due, it becomes `failed` with the reason `ApiKeyLeaked`, which `email.failed` reports, and a program with another key can send it again under the same idempotency key. `GET /api/v1/sends?key=…&status=scheduled` lists those not due yet.',
      fields: {
        id: 'The ID of the API key.',
        leaked: '`true`: someone else has the key, so its waiting emails must not go out.',
      },
      example: { path: { id: exampleIds.apiKey } },
    },
  },
  revokeApiKey,
);
