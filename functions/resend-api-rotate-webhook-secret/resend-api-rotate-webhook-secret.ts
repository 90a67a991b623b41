import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleNewResendWebhook,
  findResendWebhook,
  resendNewWebhookSchema,
  resendWebhookWords,
} from '#shared/resend/webhooks';
import { defaultOverlapHours } from '#shared/timing/rotation-overlap';
import { exampleIds } from '#shared/tokens/example-values';
import { rotateWebhookSecret } from '#shared/webhooks/rotate-webhook-secret';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    access: { ...managementDeclaration.access, freshSession: true },
    route: 'POST /resend/webhooks/{id}/signing-secret/rotate',
    ...webhookPath,
    answers: {
      200: {
        body: resendNewWebhookSchema,
        description: 'The webhook endpoint has a new secret.',
        example: exampleNewResendWebhook,
      },
    },
    errors: ['concurrent_change'],
    isLimited: true,
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
    words: {
      section: 'Resend',
      summary: 'Rotate the secret of a webhook endpoint, as with Resend',
      description: `For ${defaultOverlapHours} hours messages carry a signature by each secret, so receivers verify with either.`,
      fields: resendWebhookWords,
      example: { path: { id: exampleIds.webhook } },
    },
  },
  async ({ caller, path }, service) => {
    await findResendWebhook(service.table, path.id, caller.organizationId);
    const body = { overlapHours: defaultOverlapHours };
    const { secret } = await rotateWebhookSecret({ caller, path, body }, service);
    return { object: 'webhook' as const, id: path.id, signing_secret: secret };
  },
);
