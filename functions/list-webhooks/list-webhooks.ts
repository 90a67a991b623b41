import * as z from 'zod/mini';
import { knowsMaxAttempts } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { countedOfEach, readWaiting, waitingSchema } from '#shared/webhook-deliveries/waiting';
import { toWebhookView, webhookViewSchema } from '#shared/webhooks/webhook-fields';
import { exampleWebhook, webhookWords } from '#shared/webhooks/webhook-reference';
import { listWebhooks } from '#shared/webhooks/webhook-store';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/webhooks',
    access: { key: 'required', scope: ['webhooks_read', 'manage_organization'] },
    answers: {
      200: {
        body: z.object({
          data: z.array(z.extend(webhookViewSchema, { waiting: z.optional(waitingSchema) })),
        }),
        description: 'The webhook endpoints.',
        example: { data: [exampleWebhook] },
      },
    },
    uses: { maxAttempts: knowsMaxAttempts },
    lambda: {
      stack: 'Webhooks',
      tableActions: ['GetItem', 'Query'],
      queriesIndexes: ['gsi1'],
    },
    words: {
      section: 'Webhooks',
      fields: webhookWords,
      summary: 'List webhook endpoints',
      description:
        'Oldest first, all in one answer, without their secrets. `waiting` is there for endpoints that fail or are paused.',
    },
  },
  async ({ caller }, { table, now, maxAttempts }) => {
    const listed = await listWebhooks(table, caller.organizationId);
    const data = await Promise.all(
      listed.map(async (webhook) => {
        const view = toWebhookView(webhook, maxAttempts, now());
        if (view.health.status === 'well' && !view.paused) return view;
        const waiting = await readWaiting(table, webhook, countedOfEach, maxAttempts, now());
        return { ...view, waiting };
      }),
    );
    return { data };
  },
);
