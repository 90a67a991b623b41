import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { webhookIdSchema } from '#shared/tokens/resource-id';
import { webhookWithSecretSchema } from '#shared/webhooks/webhook-fields';
import { exampleWebhook } from '#shared/webhooks/webhook-reference';

const defaultOverlapHours = 24;

const maxOverlapHours = 168;

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/webhooks/{id}/rotate-secret',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({ id: webhookIdSchema }),
  unmatchedPath: 'webhook_not_found',
  body: z.strictObject({
    /** How long the previous secrets still sign beside the new one. With 0 they stop at once. */
    overlapHours: z._default(
      z.number().check(z.gte(0), z.lte(maxOverlapHours)),
      defaultOverlapHours,
    ),
  }),
  isBodyOptional: true,
  answers: {
    200: {
      body: webhookWithSecretSchema,
      description: 'The webhook endpoint, with its new secret.',
      example: {
        ...exampleWebhook,
        updatedAt: exampleTime + 60_000,
        previousSecretsExpireAt: exampleTime + 86_460_000,
        secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      },
    },
  },
  errors: ['webhook_not_found', 'concurrent_change'],
  lambda: { stack: 'Webhooks', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
  words: {
    section: 'Webhooks',
    summary: 'Give a webhook endpoint a new secret',
    description:
      'The answer shows the new secret, this once. While the overlap lasts, messages are signed with the old secret too, so that a receiver with either of them verifies. The body may be left out.',
    fields: {
      overlapHours:
        'How long the previous secrets still sign beside the new one. With 0 they stop at once.',
    },
    example: { path: { id: exampleIds.webhook }, body: { overlapHours: 24 } },
  },
});

export type RotateSecretRequest = z.infer<typeof endpoint.body>;
