import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { exampleIds } from '#shared/tokens/example-values';
import { retryWaiting } from '#shared/webhook-deliveries/retry-waiting';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/webhooks/{id}/retry-waiting',
    access: { key: 'required', scope: ['webhooks_redeliver', 'manage_organization'] },
    ...webhookPath,
    answers: {
      202: {
        body: z.object({ retried: z.int(), hasMore: z.boolean() }),
        description: 'How many deliveries are due now.',
        example: { retried: 214, hasMore: false },
      },
    },
    errors: ['webhook_disabled', 'webhook_paused'],
    lambda: {
      stack: 'Webhooks',
      tableActions: ['GetItem', 'UpdateItem'],
      queriesIndexes: ['gsi1'],
    },
    words: {
      section: 'Webhooks',
      summary: 'Retry the waiting deliveries of a webhook endpoint now',
      description:
        'For an endpoint that was mended: what waits for a later attempt becomes due now, up to 400 deliveries a request. While `hasMore` is true, repeat the request. The scheduled run attempts them within a minute, 2 at a time at first, and more with each quick success. They stay the same deliveries and keep the attempts they have had.',
      fields: {
        id: 'The webhook endpoint.',
        retried:
          'How many deliveries this request made due. Others may have become due by themselves.',
        hasMore: 'Whether more may wait: repeat the request, a second later if `retried` is 0.',
      },
      example: { path: { id: exampleIds.webhook } },
    },
  },
  retryWaiting,
);
