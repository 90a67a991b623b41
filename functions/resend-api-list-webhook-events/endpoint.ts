import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { resendListSchema } from '#shared/resend/list-page';
import { managementDeclaration } from '#shared/resend/management';
import {
  eventPageFields,
  exampleWebhookEvents,
  listedEventSchema,
  webhookEventWords,
} from '#shared/resend/webhook-events';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint({
  ...managementDeclaration,
  route: 'GET /resend/webhooks/{id}/events',
  ...webhookPath,
  query: z.strictObject(eventPageFields),
  answers: {
    200: {
      body: resendListSchema(listedEventSchema),
      description: 'A page of events, newest first.',
      example: exampleWebhookEvents,
    },
  },
  lambda: {
    stack: 'Resend',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Resend',
    summary: 'List what a webhook endpoint got, as with Resend',
    description: 'Each delivery is an event here, so a replay is listed as well.',
    fields: webhookEventWords,
    example: { path: { id: exampleIds.webhook }, query: { limit: '20' } },
  },
});
