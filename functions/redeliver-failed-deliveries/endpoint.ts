import * as z from 'zod/mini';
import { retryEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { momentSchema } from '#shared/timing/moment';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/webhooks/{id}/redeliver-failed',
  access: { key: 'required', scope: 'manage_organization' },
  ...webhookPath,
  body: z.strictObject({
    since: momentSchema,
    cursor: z.exactOptional(z.string()),
  }),
  answers: {
    202: {
      body: z.object({ redelivered: z.int(), nextCursor: z.nullable(z.string()) }),
      description: 'How many deliveries will be repeated.',
      example: { redelivered: 12, nextCursor: null },
    },
  },
  errors: ['delivery_limit_reached'],
  lambda: {
    stack: 'Webhooks',
    countsInDay: true,
    environment: retryEnvironment,
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Webhooks',
    summary: 'Repeat the failed deliveries of a webhook endpoint',
    description:
      'Repeats every delivery that failed since the given time and was not repeated before, even while the endpoint is disabled. The scheduled run makes them. If the answer has a `nextCursor` there may be more: repeat the request with it as `cursor`, and the same `since`.',
    fields: {
      id: 'The webhook endpoint.',
      since: 'Epoch milliseconds, or ISO 8601 with a time zone.',
      redelivered: 'How many deliveries this request repeats.',
    },
    example: { path: { id: exampleIds.webhook }, body: { since: '2026-11-21T09:00:00Z' } },
  },
});
