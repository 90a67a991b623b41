import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'Webhooks',
  summary: 'Repeat the failed deliveries of a webhook endpoint',
  description:
    'Repeats what failed since a moment and was not repeated yet. The schedule delivers it, also while the endpoint is disabled. With a `nextCursor` there may be more: repeat the request with it as `cursor`.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    id: 'The webhook endpoint.',
    since: 'Epoch milliseconds, or ISO 8601 with a time zone.',
    redelivered: 'How many were repeated.',
  },
  example: { path: { id: exampleIds.webhook }, body: { since: '2026-11-21T09:00:00Z' } },
  answers: {
    202: {
      description: 'How many will be delivered again.',
      example: { redelivered: 12, nextCursor: null },
    },
  },
  errors: ['webhook_not_found'],
} as const satisfies EndpointReference;
