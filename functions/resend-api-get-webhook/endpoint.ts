import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/endpoints/example-values';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleResendWebhook,
  resendWebhookViewSchema,
  resendWebhookWords,
} from '#shared/resend/webhooks';
import { webhookIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  ...managementDeclaration,
  route: 'GET /resend/webhooks/{id}',
  path: z.object({ id: webhookIdSchema }),
  unmatchedPath: 'webhook_not_found',
  answers: {
    200: {
      body: resendWebhookViewSchema,
      description: 'The webhook endpoint.',
      example: exampleResendWebhook,
    },
  },
  errors: ['webhook_not_found'],
  lambda: { stack: 'Resend', tableActions: ['GetItem'] },
  words: {
    section: 'Resend',
    summary: 'Read a webhook endpoint, as with Resend',
    description: 'One of format `resend`, with its secret, as Resend shows it.',
    fields: resendWebhookWords,
    example: { path: { id: exampleIds.webhook } },
  },
});
