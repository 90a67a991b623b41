import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Webhooks',
  summary: 'List the deliveries of a webhook endpoint',
  description:
    'Newest first. With `status` or `type` a page may be short, or empty, and still have a `nextCursor`: one request reads only a part of the log. `send` leads straight to its deliveries.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    id: 'The webhook endpoint.',
    'data.id': 'The delivery.',
    send: 'The id of a send: only deliveries that tell of it.',
  },
  example: {
    path: { id: exampleIds.webhook },
    query: { limit: '1', status: 'delivered' },
  },
  answers: {
    200: {
      description: 'A page of deliveries.',
      example: {
        data: [
          {
            id: exampleIds.delivery,
            messageId: exampleIds.webhookMessage,
            type: 'email.bounced',
            status: 'delivered',
            attempts: [{ at: exampleTime + 200, durationMs: 84, statusCode: 204, answer: '' }],
            createdAt: exampleTime,
          },
        ],
        nextCursor: null,
      },
    },
  },
  errors: ['webhook_not_found'],
} as const satisfies EndpointReference;
