import * as z from 'zod/mini';
import { knowsMaxAttempts, knowsUrlPolicy } from '#shared/aws/settings';
import { changesOf } from '#shared/endpoints/changes-of';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { updateWebhook } from '#shared/webhooks/change-webhooks';
import { toWebhookView, webhookFields, webhookViewSchema } from '#shared/webhooks/webhook-fields';
import { exampleWebhook, urlWords, webhookWords } from '#shared/webhooks/webhook-reference';

export const endpoint = defineEndpoint(
  {
    route: 'PATCH /api/v1/webhooks/{id}',
    access: {
      key: 'required',
      scope: ['webhooks_manage', 'manage_organization'],
      freshSession: ['url'],
    },
    ...webhookPath,
    body: changesOf({
      url: z.exactOptional(webhookFields.url),
      eventTypes: z.exactOptional(webhookFields.eventTypes),
      tags: z.exactOptional(webhookFields.tags),
      templates: z.exactOptional(webhookFields.templates),
      description: z.exactOptional(webhookFields.description),
      format: z.exactOptional(z.nullable(webhookFields.format)),
      maxAttempts: z.exactOptional(z.nullable(webhookFields.maxAttempts)),
      enabled: z.exactOptional(z.boolean()),
      paused: z.exactOptional(z.boolean()),
    }),
    answers: {
      200: {
        body: webhookViewSchema,
        description: 'The changed webhook endpoint, without its secret.',
        example: {
          ...exampleWebhook,
          eventTypes: ['email.bounced', 'email.complained'],
          updatedAt: exampleTime + 60_000,
        },
      },
    },
    errors: ['too_many_webhooks', 'concurrent_change'],
    isLimited: true,
    uses: { urlPolicy: knowsUrlPolicy, maxAttempts: knowsMaxAttempts },
    lambda: { stack: 'Webhooks', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
    words: {
      section: 'Webhooks',
      summary: 'Change a webhook endpoint',
      description:
        'Changes only the fields in the request. `{"enabled": true}` enables the endpoint again. With `{"paused": true}` nothing is attempted: events go on being recorded, and their deliveries wait with the attempts they have, as long as their sends are kept. `{"paused": false}` resumes: what fell due in between is attempted within a minute, and the rest when it is due or after `POST /api/v1/webhooks/{id}/retry-waiting`.',
      fields: { url: urlWords, ...webhookWords },
      example: {
        path: { id: exampleIds.webhook },
        body: { eventTypes: ['email.bounced', 'email.complained'] },
      },
    },
  },
  async (request, { maxAttempts, ...changing }) =>
    toWebhookView(await updateWebhook(request, changing), maxAttempts, changing.now()),
);
