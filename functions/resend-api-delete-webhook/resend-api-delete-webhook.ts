import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { deleted, deletedSchema, managementDeclaration } from '#shared/resend/management';
import {
  exampleResendWebhookId,
  findResendWebhook,
  resendWebhookWords,
} from '#shared/resend/webhooks';
import { exampleIds } from '#shared/tokens/example-values';
import { removeWebhook } from '#shared/webhooks/change-webhooks';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'DELETE /resend/webhooks/{id}',
    ...webhookPath,
    answers: {
      200: {
        body: deletedSchema('webhook'),
        description: 'The webhook endpoint is deleted.',
        example: { ...exampleResendWebhookId, deleted: true },
      },
    },
    isLimited: true,
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
    words: {
      section: 'Resend',
      summary: 'Delete a webhook endpoint, as with Resend',
      description: 'It stops getting messages, and its pending deliveries fail.',
      fields: resendWebhookWords,
      example: { path: { id: exampleIds.webhook } },
    },
  },
  async (request, service) => {
    const { id } = request.path;
    await findResendWebhook(service.table, id, request.caller.organizationId);
    await removeWebhook(request, service);
    return deleted('webhook', id);
  },
);
