import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookFields, webhookWithSecretSchema } from '#shared/webhooks/webhook-fields';
import { exampleWebhook } from '#shared/webhooks/webhook-reference';
import { checkUrlField } from '#shared/webhooks/webhook-url';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/webhooks',
  access: { key: 'required', scope: 'manage_organization' },
  body: z.strictObject({
    url: webhookFields.url.check(z.superRefine(checkUrlField)),
    eventTypes: z._default(webhookFields.eventTypes, []),
    description: z._default(webhookFields.description, ''),
  }),
  answers: {
    201: {
      body: webhookWithSecretSchema,
      description: 'The webhook endpoint, with its secret.',
      example: {
        ...exampleWebhook,
        eventTypes: ['email.bounced', 'email.complained'],
        secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      },
    },
  },
  errors: ['too_many_webhooks'],
  lambda: { stack: 'Webhooks', tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'] },
  words: {
    section: 'Webhooks',
    summary: 'Register a webhook endpoint',
    description:
      'The endpoint is enabled at once, and has a secret of its own. The answer shows the secret, this once. An organization has at most 20 endpoints.',
    fields: {
      url: '`https://`, with port 443 or one from 1024 up, without credentials and fragment, and not to a private address.',
    },
    example: {
      body: {
        url: 'https://example.com/hooks/email',
        eventTypes: ['email.bounced', 'email.complained'],
        description: 'Orders',
      },
    },
  },
});

export type CreateWebhookRequest = z.infer<typeof endpoint.body>;
