import * as z from 'zod/mini';
import { listedForDays } from '#shared/access/api-key';
import { apiKeyFieldWords, apiKeyViewSchema, exampleApiKey } from '#shared/access/api-key-fields';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/api-keys',
  access: { key: 'required', scope: 'manage_organization' },
  query: z.strictObject(pageQueryFields),
  answers: {
    200: {
      body: pageSchema(apiKeyViewSchema),
      description: 'A page of keys.',
      example: {
        data: [exampleApiKey],
        nextCursor: null,
      },
    },
  },
  lambda: { stack: 'Account', tableActions: ['GetItem', 'BatchGetItem'], queriesIndexes: ['gsi2'] },
  words: {
    section: 'API keys',
    summary: 'List API keys',
    description: `Newest first, without the keys themselves. A revoked or expired key stays listed for ${listedForDays} days. A key created in the last second may be missing.`,
    fields: apiKeyFieldWords,
    example: { query: { limit: '20' } },
  },
});
