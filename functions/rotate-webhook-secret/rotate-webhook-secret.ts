import * as z from 'zod/mini';
import { knowsMaxAttempts } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { defaultOverlapHours, overlapHours } from '#shared/timing/rotation-overlap';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { rotateWebhookSecret } from '#shared/webhooks/rotate-webhook-secret';
import { toWebhookView, webhookWithSecretSchema } from '#shared/webhooks/webhook-fields';
import { exampleSecret, exampleWebhook, webhookWords } from '#shared/webhooks/webhook-reference';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/webhooks/{id}/rotate-secret',
    access: {
      key: 'required',
      scope: ['webhooks_manage', 'manage_organization'],
      freshSession: true,
    },
    ...webhookPath,
    body: z.strictObject({ overlapHours }),
    isBodyOptional: true,
    answers: {
      200: {
        body: webhookWithSecretSchema,
        description: 'The webhook endpoint, with its new secret.',
        example: {
          ...exampleWebhook,
          updatedAt: exampleTime + 60_000,
          previousSecretsExpireAt: exampleTime + 60_000 + defaultOverlapHours * 3_600_000,
          secret: exampleSecret,
        },
      },
    },
    errors: ['concurrent_change'],
    isLimited: true,
    uses: { maxAttempts: knowsMaxAttempts },
    lambda: { stack: 'Webhooks', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
    words: {
      section: 'Webhooks',
      summary: 'Rotate the secret of a webhook endpoint',
      description:
        'Store the new secret: no other answer shows it. During the overlap, messages carry a signature by each secret, so receivers verify with either. The body is optional.',
      fields: {
        ...webhookWords,
        overlapHours:
          'How many hours the previous secrets keep signing alongside the new one. With 0 they stop at once.',
      },
      example: { path: { id: exampleIds.webhook }, body: { overlapHours: defaultOverlapHours } },
    },
  },
  async (request, { maxAttempts, ...service }) =>
    toWebhookView(await rotateWebhookSecret(request, service), maxAttempts, service.now()),
);
