import { knowsUrlPolicy } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleResendWebhookId,
  findResendWebhook,
  resendWebhookChangeSchema,
  resendWebhookIdSchema,
  resendWebhookWords,
  toWebhookChanges,
} from '#shared/resend/webhooks';
import { exampleIds } from '#shared/tokens/example-values';
import { updateWebhook } from '#shared/webhooks/change-webhooks';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    access: { ...managementDeclaration.access, freshSession: ['endpoint'] },
    route: 'PATCH /resend/webhooks/{id}',
    ...webhookPath,
    body: resendWebhookChangeSchema,
    answers: {
      200: {
        body: resendWebhookIdSchema,
        description: 'The webhook endpoint is changed.',
        example: exampleResendWebhookId,
      },
    },
    errors: ['too_many_webhooks', 'concurrent_change'],
    isLimited: true,
    uses: { urlPolicy: knowsUrlPolicy },
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
    words: {
      section: 'Resend',
      summary: 'Change a webhook endpoint, as with Resend',
      description: 'Changes only the fields in the request, of an endpoint of format `resend`.',
      fields: resendWebhookWords,
      example: { path: { id: exampleIds.webhook }, body: { status: 'disabled' } },
    },
  },
  async ({ caller, path, body }, changing) => {
    await findResendWebhook(changing.table, path.id, caller.organizationId);
    const changes = toWebhookChanges(body);
    if (Object.keys(changes).length > 0) {
      await updateWebhook({ caller, path, body: changes }, changing);
    }
    return { object: 'webhook' as const, id: path.id };
  },
);
