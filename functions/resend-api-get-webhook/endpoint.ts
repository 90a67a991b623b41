import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleResendWebhook,
  resendWebhookViewSchema,
  resendWebhookWords,
} from '#shared/resend/webhooks';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint({
  ...managementDeclaration,
  access: { ...managementDeclaration.access, freshSession: true },
  route: 'GET /resend/webhooks/{id}',
  ...webhookPath,
  answers: {
    200: {
      body: resendWebhookViewSchema,
      description: 'The webhook endpoint.',
      example: exampleResendWebhook,
    },
  },
  isLimited: true,
  lambda: { stack: 'Resend', tableActions: ['GetItem'], writesAudit: true },
  words: {
    section: 'Resend',
    summary: 'Read a webhook endpoint, as with Resend',
    description:
      'One of format `resend`, with its secret, as Resend shows it. The audit records who read it.',
    fields: resendWebhookWords,
    example: { path: { id: exampleIds.webhook } },
  },
});
