import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { exampleIds, examplePayload, exampleTime } from '#shared/tokens/example-values';
import { sendIdSchema } from '#shared/tokens/resource-id';
import { deliveryStatuses, messageTypes } from '#shared/webhook-deliveries/delivery';
import { deliveryViewSchema } from '#shared/webhook-deliveries/delivery-view';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/webhooks/{id}/deliveries',
  access: { key: 'required', scope: 'manage_organization' },
  ...webhookPath,
  query: z.strictObject({
    ...pageQueryFields,
    status: z.optional(z.enum(deliveryStatuses)),
    type: z.optional(z.enum(messageTypes)),
    send: z.optional(sendIdSchema),
  }),
  answers: {
    200: {
      body: pageSchema(deliveryViewSchema),
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
            payload: examplePayload,
          },
        ],
        nextCursor: null,
      },
    },
  },
  lambda: {
    stack: 'Webhooks',
    tableActions: ['GetItem', 'BatchGetItem', 'Query'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Webhooks',
    summary: 'List the deliveries of a webhook endpoint',
    description:
      'Newest first. With `status` or `type`, a page can be short or even empty and still have a `nextCursor`: one request reads only part of the log. `send` goes straight to the deliveries of that send.',
    fields: {
      id: 'The webhook endpoint.',
      'data.id': 'The delivery.',
      send: 'The ID of a send: lists only deliveries about it.',
    },
    example: {
      path: { id: exampleIds.webhook },
      query: { limit: '1', status: 'delivered' },
    },
  },
});
