import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';
import { exampleHealthOfDisabled, exampleWebhook } from '#shared/webhooks/webhook-reference';

export const reference = {
  section: 'Webhooks',
  summary: 'Read a webhook endpoint',
  description: 'Without its secret.',
  access: { key: 'required', scope: 'manage_organization' },
  example: { path: { id: exampleIds.webhook } },
  answers: {
    200: {
      description: 'The webhook endpoint.',
      example: {
        ...exampleWebhook,
        enabled: false,
        disabled: { reason: 'gone', at: exampleTime + 60_000 },
        health: exampleHealthOfDisabled,
        updatedAt: exampleTime + 60_000,
      },
    },
  },
  errors: ['webhook_not_found'],
} as const satisfies EndpointReference;
