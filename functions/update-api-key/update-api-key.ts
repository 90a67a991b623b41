import * as z from 'zod/mini';
import {
  apiKeyFields,
  apiKeyFieldWords,
  apiKeyViewSchema,
  exampleApiKey,
  toApiKeyView,
} from '#shared/access/api-key-fields';
import { endsApiKey, updateApiKey } from '#shared/access/manage-api-keys';
import { changesOf } from '#shared/endpoints/changes-of';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { apiKeyPath } from '#shared/endpoints/resource-paths';
import { proofCodes } from '#shared/errors/errors';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    route: 'PATCH /api/v1/api-keys/{id}',
    access: { key: 'required', scope: ['sending_keys_manage', 'manage_organization'] },
    ...apiKeyPath,
    body: changesOf({
      name: z.exactOptional(apiKeyFields.name),
      scopes: z.exactOptional(apiKeyFields.scopes),
      allowedFrom: z.exactOptional(z.nullable(apiKeyFields.allowedFrom)),
      perMinuteCap: z.exactOptional(z.nullable(apiKeyFields.perMinuteCap)),
      dailyCap: z.exactOptional(z.nullable(apiKeyFields.dailyCap)),
      validUntil: z.exactOptional(z.nullable(apiKeyFields.validUntil)),
    }),
    answers: {
      200: { body: apiKeyViewSchema, description: 'The key as it is now.', example: exampleApiKey },
    },
    errors: [...proofCodes, 'api_key_revoked', 'last_manager_key', 'concurrent_change'],
    isLimited: true,
    lambda: { stack: 'Account', ...endsApiKey },
    words: {
      section: 'API keys',
      summary: 'Change an API key',
      description:
        'Changes only the fields in the request. `null` removes a cap, the expiry or the restriction to certain From addresses. Changes apply from the key’s next request on.',
      fields: apiKeyFieldWords,
      example: { path: { id: exampleIds.apiKey }, body: { perMinuteCap: 60, validUntil: null } },
    },
  },
  async (request, capability) =>
    toApiKeyView(await updateApiKey(request, capability), capability.now()),
);
