import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { exampleIds } from '#shared/tokens/example-values';
import { removeWebhook } from '#shared/webhooks/change-webhooks';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/webhooks/{id}',
    access: { key: 'required', scope: ['webhooks_manage', 'manage_organization'] },
    ...webhookPath,
    answers: { 204: { description: 'Deleted.' } },
    isLimited: true,
    lambda: { stack: 'Webhooks', tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
    words: {
      section: 'Webhooks',
      summary: 'Delete a webhook endpoint',
      description: 'It stops getting messages, and its pending deliveries fail.',
      example: { path: { id: exampleIds.webhook } },
    },
  },
  removeWebhook,
);
