import * as z from 'zod/mini';
import { knowsMaxAttempts, knowsUrlPolicy } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { registerWebhook } from '#shared/webhooks/change-webhooks';
import { maxWebhooks } from '#shared/webhooks/webhook';
import {
  toWebhookView,
  webhookFields,
  webhookWithSecretSchema,
} from '#shared/webhooks/webhook-fields';
import {
  exampleSecret,
  exampleWebhook,
  urlWords,
  webhookWords,
} from '#shared/webhooks/webhook-reference';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/webhooks',
    access: {
      key: 'required',
      scope: ['webhooks_manage', 'manage_organization'],
      freshSession: true,
    },
    body: z.strictObject({
      url: webhookFields.url,
      eventTypes: z._default(webhookFields.eventTypes, []),
      tags: z._default(webhookFields.tags, []),
      templates: z._default(webhookFields.templates, []),
      description: z._default(webhookFields.description, ''),
      format: z.exactOptional(webhookFields.format),
      maxAttempts: z.exactOptional(webhookFields.maxAttempts),
    }),
    answers: {
      201: {
        body: webhookWithSecretSchema,
        description: 'The new webhook endpoint, with its secret.',
        example: {
          ...exampleWebhook,
          eventTypes: ['email.bounced', 'email.complained'],
          tags: ['kind:reset'],
          secret: exampleSecret,
        },
      },
    },
    errors: ['too_many_webhooks'],
    isLimited: true,
    uses: { urlPolicy: knowsUrlPolicy, maxAttempts: knowsMaxAttempts },
    lambda: { stack: 'Webhooks', tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'] },
    words: {
      section: 'Webhooks',
      summary: 'Register a webhook endpoint',
      description: `The endpoint is enabled at once. Store its secret: no other answer shows it. An organization can have up to ${maxWebhooks} endpoints.`,
      fields: { url: urlWords, ...webhookWords },
      example: {
        body: {
          url: 'https://example.com/hooks/email',
          eventTypes: ['email.bounced', 'email.complained'],
          tags: ['kind:reset'],
          description: 'Orders',
        },
      },
    },
  },
  async (request, { maxAttempts, ...creating }) =>
    toWebhookView(await registerWebhook(request, creating), maxAttempts, creating.now()),
);
