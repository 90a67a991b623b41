import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { toWebhookView, webhookViewSchema } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { exampleWebhook, filterWords } from '#shared/webhooks/webhook-reference';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/webhooks',
    access: { key: 'required', scope: 'manage_organization' },
    answers: {
      200: {
        body: z.object({ data: z.array(webhookViewSchema) }),
        description: 'The webhook endpoints.',
        example: { data: [exampleWebhook] },
      },
    },
    uses: openWebhookManagement,
    lambda: { stack: 'Webhooks', tableActions: ['GetItem', 'Query'] },
    words: {
      section: 'Webhooks',
      fields: filterWords,
      summary: 'List webhook endpoints',
      description: 'Oldest first, all in one answer, without their secrets.',
    },
  },
  async ({ caller }, { webhooks, now }) => {
    const listed = await webhooks.list(caller.organizationId);
    return { data: listed.map((webhook) => toWebhookView(webhook, now())) };
  },
);
