import * as z from 'zod/mini';
import { apiKeyFields } from '#shared/access/api-key-fields';
import { updateApiKey } from '#shared/access/manage-api-keys';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { apiKeyPath } from '#shared/endpoints/resource-paths';
import { exampleApiKeyId, resendApiKeyIdSchema, resendApiKeyWords } from '#shared/resend/api-keys';
import { managementDeclaration } from '#shared/resend/management';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'PATCH /resend/api-keys/{id}',
    ...apiKeyPath,
    body: z.strictObject({ name: apiKeyFields.name }),
    answers: {
      200: {
        body: resendApiKeyIdSchema,
        description: 'The key has the name.',
        example: exampleApiKeyId,
      },
    },
    errors: ['api_key_revoked', 'concurrent_change'],
    isLimited: true,
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
    words: {
      section: 'Resend',
      summary: 'Rename an API key, as with Resend',
      description: 'Does what `PATCH /api/v1/api-keys/{id}` does with `name`.',
      fields: resendApiKeyWords,
      example: { path: { id: exampleIds.apiKey }, body: { name: 'invoices' } },
    },
  },
  async (request, changing) => {
    const { id } = await updateApiKey(request, changing);
    return { object: 'api_key' as const, id };
  },
);
