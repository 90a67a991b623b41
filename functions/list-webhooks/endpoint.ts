import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookViewSchema } from '#shared/webhooks/webhook-fields';
import { exampleWebhook, filterWords } from '#shared/webhooks/webhook-reference';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/webhooks',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    200: {
      body: z.object({ data: z.array(webhookViewSchema) }),
      description: 'The webhook endpoints.',
      example: { data: [exampleWebhook] },
    },
  },
  lambda: { stack: 'Webhooks', tableActions: ['GetItem', 'Query'] },
  words: {
    section: 'Webhooks',
    fields: filterWords,
    summary: 'List webhook endpoints',
    description: 'Oldest first, all in one answer, without their secrets.',
  },
});
