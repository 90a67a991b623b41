import * as z from 'zod/mini';
import { apiKeyViewSchema } from '#shared/access/api-key-fields';
import { apiKeyFieldWords, exampleApiKey } from '#shared/access/api-key-reference';
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
    description:
      'Newest first, without their texts. A key that has ended is listed for 30 days more. A key of the last second may be missing.',
    fields: apiKeyFieldWords,
    example: { query: { limit: '20' } },
  },
});

export type ListApiKeysQuery = z.infer<typeof endpoint.query>;
