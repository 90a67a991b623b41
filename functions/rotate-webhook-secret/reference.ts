import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';
import { exampleWebhook } from '#shared/webhooks/webhook-reference';

export const reference = {
  section: 'Webhooks',
  summary: 'Give a webhook endpoint a new secret',
  description:
    'The answer shows the new secret, this once. While the overlap lasts, messages are signed with the old secret too, so that a receiver with either of them verifies. The body may be left out.',
  access: { key: 'required', scope: 'manage_organization' },
  isBodyOptional: true,
  fields: {
    overlapHours:
      'How long the previous secrets still sign beside the new one. With 0 they stop at once.',
  },
  example: { path: { id: exampleIds.webhook }, body: { overlapHours: 24 } },
  answers: {
    200: {
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
} as const satisfies EndpointReference;
