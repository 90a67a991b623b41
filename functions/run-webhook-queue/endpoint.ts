import * as z from 'zod/mini';
import { deliveryEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { httpWorkMs } from '#shared/webhook-deliveries/run-due-deliveries';

export const endpoint = defineEndpoint({
  route: 'GET /api/webhooks/queue/run',
  access: 'cron_secret',
  answers: {
    200: {
      body: z.object({
        processed: z.int(),
        delivered: z.int(),
        rescheduled: z.int(),
        failed: z.int(),
      }),
      description: 'The outcome of the attempts.',
      example: { processed: 3, delivered: 2, rescheduled: 1, failed: 0 },
    },
  },
  lambda: {
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    environment: deliveryEnvironment,
    deliversWebhooks: true,
    queriesIndexes: ['gsi1'],
    timeoutSeconds: 85,
    memoryMegabytes: 1769,
  },
  words: {
    section: 'Webhooks',
    summary: 'Attempt the webhook deliveries that are due',
    description: `The deployment’s schedule does this every minute. Over HTTP, a run starts attempts for ${httpWorkMs / 1_000} seconds and leaves the rest to the next run.`,
  },
});
