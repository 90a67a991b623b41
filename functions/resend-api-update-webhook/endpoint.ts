import * as z from 'zod/mini';
import { webhookUrlEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/endpoints/example-values';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleResendWebhookId,
  resendWebhookChangeSchema,
  resendWebhookIdSchema,
  resendWebhookWords,
} from '#shared/resend/webhooks';
import { webhookIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  ...managementDeclaration,
  route: 'PATCH /resend/webhooks/{id}',
  path: z.object({ id: webhookIdSchema }),
  unmatchedPath: 'webhook_not_found',
  body: resendWebhookChangeSchema,
  answers: {
    200: {
      body: resendWebhookIdSchema,
      description: 'The webhook endpoint is changed.',
      example: exampleResendWebhookId,
    },
  },
  errors: ['webhook_not_found', 'too_many_webhooks', 'concurrent_change'],
  isLimited: true,
  lambda: {
    environment: webhookUrlEnvironment,
    stack: 'Resend',
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  words: {
    section: 'Resend',
    summary: 'Change a webhook endpoint, as with Resend',
    description: 'Changes only the fields in the request, of an endpoint of format `resend`.',
    fields: resendWebhookWords,
    example: { path: { id: exampleIds.webhook }, body: { status: 'disabled' } },
  },
});
