import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { openTable } from '#shared/table/table-client';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { startLocalStack } from '../../infra/local/stack.ts';
import { serveParent } from './child-service.ts';
import { storeDeliveries } from './stored-deliveries.ts';
import { putEndpoint } from './webhook-endpoint.ts';

const jobSchema = z.object({
  /** Where two endpoints are: both hear of every event. */
  urls: z.array(z.string()),
  events: z.int(),
  everyMs: z.int(),
});

/** The twin with its queue and its schedule, and events that come at an even rate. */
serveParent(async () => {
  const { description } = await startLocalStack({ providerEvents: false, webhooks: true });
  const table = openTable(description.tableName);
  const organizationId = organizationIdSchema.parse(description.organizationId);
  const wake = createQueueWaker(process.env['WEBHOOK_QUEUE_URL'] ?? '');

  return {
    ready: {},
    run: async (job) => {
      const { urls, events, everyMs } = jobSchema.parse(job);
      const endpoints = await Promise.all(
        urls.map((url) => putEndpoint(table, organizationId, url)),
      );
      const underWay: Promise<void>[] = [];
      for (let count = 0; count < events; count += 1) {
        for (const { id } of endpoints) underWay.push(storeDeliveries(table, id, 1).then(wake));
        await sleep(everyMs);
      }
      await Promise.all(underWay);
      return {};
    },
  };
});
