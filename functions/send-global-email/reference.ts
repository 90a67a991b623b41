import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { sendReference } from '#shared/sending/send-reference';

export const reference = {
  ...sendReference,
  summary: 'Send an email through the global endpoint',
  description:
    'Takes the same body as `POST /api/v1/emails/send`, and answers the same. The usage counts its sends also as `global_endpoint_sends`. An idempotency key belongs to one of the two endpoints.',
  example: {
    headers: { 'idempotency-key': 'news-ann' },
    body: { to: 'ann@example.com', subject: 'News for all', content: 'Hello' },
  },
} as const satisfies EndpointReference;
