import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { pageOf, resendListSchema, resendPageFields } from '#shared/resend/list-page';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleResendWebhooks,
  isInResendForm,
  resendListedWebhookSchema,
  resendWebhookWords,
  toListedResendWebhook,
} from '#shared/resend/webhooks';
import { listWebhooks } from '#shared/webhooks/webhook-store';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'GET /resend/webhooks',
    query: z.strictObject(resendPageFields),
    answers: {
      200: {
        body: resendListSchema(resendListedWebhookSchema),
        description: 'The webhook endpoints.',
        example: exampleResendWebhooks,
      },
    },
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'Query'] },
    words: {
      section: 'Resend',
      summary: 'List webhook endpoints, as with Resend',
      description: 'Those of format `resend` only. Without a `limit`, all of them.',
      fields: resendWebhookWords,
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller, query }, { table }) => {
    const all = await listWebhooks(table, caller.organizationId);
    return pageOf(all.filter(isInResendForm).map(toListedResendWebhook), query);
  },
);
