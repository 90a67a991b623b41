import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { toWebhookView, webhookViewSchema } from '#shared/webhooks/webhook-fields';
import { exampleWebhook, filterWords } from '#shared/webhooks/webhook-reference';
import { listWebhooks } from '#shared/webhooks/webhook-store';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/webhooks',
    access: { key: 'required', scope: ['webhooks_read', 'manage_organization'] },
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
  },
  async ({ caller }, { table, now }) => {
    const listed = await listWebhooks(table, caller.organizationId);
    return { data: listed.map((webhook) => toWebhookView(webhook, now())) };
  },
);
