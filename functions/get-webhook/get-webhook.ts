import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { toWebhookView, webhookViewSchema } from '#shared/webhooks/webhook-fields';
import { findWebhook } from '#shared/webhooks/webhook-management';
import {
  exampleHealthOfDisabled,
  exampleWebhook,
  filterWords,
} from '#shared/webhooks/webhook-reference';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/webhooks/{id}',
    access: { key: 'required', scope: ['webhooks_read', 'manage_organization'] },
    ...webhookPath,
    answers: {
      200: {
        body: webhookViewSchema,
        description: 'The webhook endpoint.',
        example: {
          ...exampleWebhook,
          enabled: false,
          disabled: { reason: 'gone', at: exampleTime + 60_000 },
          health: exampleHealthOfDisabled,
          updatedAt: exampleTime + 60_000,
        },
      },
    },
    lambda: { stack: 'Webhooks', tableActions: ['GetItem'] },
    words: {
      section: 'Webhooks',
      fields: filterWords,
      summary: 'Read a webhook endpoint',
      description: 'The answer leaves out the secret.',
      example: { path: { id: exampleIds.webhook } },
    },
  },
  async ({ caller, path }, { table, now }) =>
    toWebhookView(await findWebhook(table, path.id, caller.organizationId), now()),
);
