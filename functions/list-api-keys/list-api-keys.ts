import * as z from 'zod/mini';
import { listedForDays } from '#shared/access/api-key';
import {
  apiKeyFieldWords,
  exampleListedKey,
  listedApiKeySchema,
  toListedApiKeys,
} from '#shared/access/api-key-fields';
import { apiKeyPositionSchema, readApiKeyPage } from '#shared/access/api-key-store';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/api-keys',
    access: { key: 'required', scope: ['sending_keys_manage', 'manage_organization'] },
    query: z.strictObject(pageQueryFields),
    answers: {
      200: {
        body: pageSchema(listedApiKeySchema),
        description: 'A page of keys.',
        example: {
          data: [exampleListedKey],
          nextCursor: null,
        },
      },
    },
    lambda: {
      stack: 'Account',
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'API keys',
      summary: 'List API keys',
      description: `Newest first, without the keys themselves. A revoked or expired key stays listed for ${listedForDays} days. A key created in the last second may be missing.`,
      fields: apiKeyFieldWords,
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller, query: { limit, cursor } }, { table, now: readClock }) => {
    const now = readClock();
    const scope = { list: 'api-keys', owner: caller.cursorOwner };
    const before = unsealCursor(cursor, apiKeyPositionSchema, scope);
    const page = await readApiKeyPage(table, caller.organizationId, { before, limit }, now);
    return {
      data: await toListedApiKeys(table, page.apiKeys, now),
      nextCursor: sealCursor(page.next, scope),
    };
  },
);
