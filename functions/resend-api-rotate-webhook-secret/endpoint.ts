import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/endpoints/example-values';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleNewResendWebhook,
  resendNewWebhookSchema,
  resendWebhookWords,
} from '#shared/resend/webhooks';
import { defaultOverlapHours } from '#shared/timing/rotation-overlap';
import { webhookIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  ...managementDeclaration,
  route: 'POST /resend/webhooks/{id}/signing-secret/rotate',
  path: z.object({ id: webhookIdSchema }),
  unmatchedPath: 'webhook_not_found',
  answers: {
    200: {
      body: resendNewWebhookSchema,
      description: 'The webhook endpoint has a new secret.',
      example: exampleNewResendWebhook,
    },
  },
  errors: ['webhook_not_found', 'concurrent_change'],
  isLimited: true,
  lambda: { stack: 'Resend', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
  words: {
    section: 'Resend',
    summary: 'Rotate the secret of a webhook endpoint, as with Resend',
    description: `For ${defaultOverlapHours} hours messages carry a signature by each secret, so receivers verify with either.`,
    fields: resendWebhookWords,
    example: { path: { id: exampleIds.webhook } },
  },
});
