import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { openTable } from '#shared/table/table-client';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { createHandlerLoader, invokeFunction } from '../../infra/local/gateway/functions.ts';
import { startLocalStack } from '../../infra/local/stack.ts';
import { serveParent } from './child.ts';
import { putEndpoint, storeDeliveries } from './deliveries.ts';
import { workOff } from './rounds.ts';

const settingsSchema = z.object({ env: z.record(z.string(), z.string()) });
const jobSchema = z.object({ url: z.string(), inFlight: z.int(), deliveries: z.int() });

/** The twin as it logs and counts in production; its queue's messages come from here, one at a time. */
serveParent(async (settings) => {
  const { env } = settingsSchema.parse(settings);
  const { description } = await startLocalStack({ providerEvents: false, env });
  const table = openTable(description.tableName);
  const organizationId = organizationIdSchema.parse(description.organizationId);
  const loadHandler = createHandlerLoader();

  const deliver = async ({ id, webhookId }: Delivery) => {
    const event = {
      Records: [{ messageId: randomUUID(), body: JSON.stringify({ id, webhookId }) }],
    };
    const outcome = await invokeFunction(loadHandler, 'deliver-webhooks', event);
    if (outcome.kind !== 'returned') throw new Error('deliver-webhooks failed', { cause: outcome });
  };
  const endpoints = new Map<string, Awaited<ReturnType<typeof putEndpoint>>>();
  const endpointAt = async (url: string) => {
    const endpoint = endpoints.get(url) ?? (await putEndpoint(table, organizationId, url));
    endpoints.set(url, endpoint);
    return endpoint;
  };
  return {
    ready: {},
    run: async (job) => {
      const { url, inFlight, deliveries: count } = jobSchema.parse(job);
      const { id } = await endpointAt(url);
      return workOff(await storeDeliveries(table, id, count), inFlight, deliver);
    },
  };
});
