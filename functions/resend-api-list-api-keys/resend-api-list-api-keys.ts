import * as z from 'zod/mini';
import { listValidApiKeys } from '#shared/access/api-key-store';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import {
  exampleListedApiKey,
  resendApiKeyWords,
  resendListedApiKeySchema,
  toListedResendApiKey,
} from '#shared/resend/api-keys';
import { pageOf, resendList, resendListSchema, resendPageFields } from '#shared/resend/list-page';
import { managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'GET /resend/api-keys',
    query: z.strictObject(resendPageFields),
    answers: {
      200: {
        body: resendListSchema(resendListedApiKeySchema),
        description: 'The keys.',
        example: resendList([exampleListedApiKey], false),
      },
    },
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'Query'] },
    words: {
      section: 'Resend',
      summary: 'List API keys, as with Resend',
      description:
        'Newest first, without the keys themselves, and without revoked or expired ones. Without a `limit`, all of them.',
      fields: resendApiKeyWords,
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller, query }, { table, now }) => {
    const valid = await listValidApiKeys(table, caller.organizationId, now());
    return pageOf(valid.map(toListedResendApiKey), query);
  },
);
