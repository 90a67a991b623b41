import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleResendWebhookId,
  resendWebhookChangeSchema,
  resendWebhookIdSchema,
  resendWebhookWords,
} from '#shared/resend/webhooks';
import { exampleIds } from '#shared/tokens/example-values';
import { changesWebhook } from '#shared/webhooks/change-webhooks';

export const endpoint = defineEndpoint({
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
  lambda: { stack: 'Resend', ...changesWebhook },
  words: {
    section: 'Resend',
    summary: 'Change a webhook endpoint, as with Resend',
    description: 'Changes only the fields in the request, of an endpoint of format `resend`.',
    fields: resendWebhookWords,
    example: { path: { id: exampleIds.webhook }, body: { status: 'disabled' } },
  },
});
