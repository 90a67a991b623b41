import * as z from 'zod/mini';
import { knowsMaxAttempts } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { countedOfOne, readWaiting, waitingSchema } from '#shared/webhook-deliveries/waiting';
import { toWebhookView, webhookViewSchema } from '#shared/webhooks/webhook-fields';
import { findWebhook } from '#shared/webhooks/webhook-management';
import {
  exampleHealthOfDisabled,
  exampleWebhook,
  webhookWords,
} from '#shared/webhooks/webhook-reference';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/webhooks/{id}',
    access: { key: 'required', scope: ['webhooks_read', 'manage_organization'] },
    ...webhookPath,
    answers: {
      200: {
        body: z.extend(webhookViewSchema, { waiting: waitingSchema }),
        description: 'The webhook endpoint.',
        example: {
          ...exampleWebhook,
          enabled: false,
          disabled: { reason: 'gone', at: exampleTime + 60_000 },
          health: exampleHealthOfDisabled,
          updatedAt: exampleTime + 60_000,
          waiting: { count: 0, isExact: true },
        },
      },
    },
    uses: { maxAttempts: knowsMaxAttempts },
    lambda: {
      stack: 'Webhooks',
      tableActions: ['GetItem'],
      queriesIndexes: ['gsi1'],
    },
    words: {
      section: 'Webhooks',
      fields: webhookWords,
      summary: 'Read a webhook endpoint',
      description: 'The answer leaves out the secret.',
      example: { path: { id: exampleIds.webhook } },
    },
  },
  async ({ caller, path }, { table, now, maxAttempts }) => {
    const webhook = await findWebhook(table, path.id, caller.organizationId);
    const waiting = await readWaiting(table, webhook, countedOfOne, maxAttempts, now());
    return { ...toWebhookView(webhook, maxAttempts, now()), waiting };
  },
);
