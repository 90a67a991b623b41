import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { openDeliveryStore } from '#shared/deliveries/delivery-store';
import type { Table } from '#shared/table/table-client';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import type { Webhook } from '#shared/webhooks/webhook';
import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { invokeFunction } from '../../infra/local/gateway/function-invocation.ts';
import { createHandlerLoader } from '../../infra/local/gateway/handler-loader.ts';
import { startLocalStack } from '../../infra/local/stack.ts';
import { serveParent } from './child-service.ts';
import { storeDeliveries } from './stored-deliveries.ts';
import { startTableMeter } from './table-meter.ts';
import { putEndpoint } from './webhook-endpoint.ts';

const settingsSchema = z.object({
  /** Whether the reads of the run are counted, which slows it down. */
  metered: z.boolean(),
});

const jobSchema = z.discriminatedUnion('kind', [
  /** Stores overdue deliveries to a new endpoint. */
  z.object({ kind: z.literal('fill'), url: z.string(), deliveries: z.int() }),
  /** Makes a run as the schedule does. */
  z.object({ kind: z.literal('run') }),
  /** Makes a run by HTTP, when a new endpoint, the last in the index, has one due delivery. */
  z.object({ kind: z.literal('runBehind'), url: z.string() }),
]);

const resultSchema = z.object({ delivered: z.int() });
const overdueMs = 600_000;

/** The twin with its retry queue and without its schedule: each run is asked for. */
serveParent(async (settings) => {
  const dynamodbUrl = await (await launchDynamodb()).url;
  const meter = settingsSchema.parse(settings).metered
    ? await startTableMeter(dynamodbUrl)
    : undefined;
  const { description } = await startLocalStack({
    providerEvents: false,
    env: { AWS_ENDPOINT_URL_DYNAMODB: meter?.url ?? dynamodbUrl },
  });
  // Not through the meter.
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: dynamodbUrl }));
  const table: Table = { client, name: description.tableName };
  const organizationId = organizationIdSchema.parse(description.organizationId);
  const loadHandler = createHandlerLoader();

  const run = async () => {
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    const outcome = await invokeFunction(loadHandler, 'run-webhook-queue', { scheduledRun: true });
    const { user, system } = process.cpuUsage(cpuBefore);
    if (outcome.kind !== 'returned') throw new Error('The run failed', { cause: outcome });
    const { delivered } = resultSchema.parse(outcome.result);
    const seconds = (performance.now() - startedAt) / 1_000;
    return { delivered, seconds, cpuMsEach: (user + system) / 1_000 / delivered };
  };
  const runBehind = async (url: string) => {
    const [delivery] = await storeDeliveries(table, (await putLast(url)).id, 1, 1);
    if (delivery === undefined) throw new Error('Nothing is due');
    meter?.clear();
    const startedAt = Date.now();
    const response = await fetch(`${description.baseUrl}/api/webhooks/queue/run`, {
      headers: { 'x-cron-secret': description.cronSecret },
    });
    if (!response.ok) throw new Error(`The run answered ${response.status}`);
    const made = await openDeliveryStore(table).get(delivery.id, Date.now());
    const [attempt] = made?.attempts ?? [];
    if (attempt === undefined) throw new Error('The delivery was not attempted');
    const queries = meter?.calls.filter(({ operation }) => operation === 'Query') ?? [];
    return { startedAfterMs: attempt.at - startedAt, reads: queries.length };
  };
  /** The index has endpoints in the order of their ids. */
  const putLast = async (url: string): Promise<Webhook> => {
    const webhook = await putEndpoint(table, organizationId, url);
    return lastId === undefined || webhook.id > lastId ? webhook : putLast(url);
  };
  let lastId: string | undefined;
  return {
    ready: {},
    run: async (message) => {
      const job = jobSchema.parse(message);
      switch (job.kind) {
        case 'fill': {
          const { id } = await putEndpoint(table, organizationId, job.url);
          lastId = id;
          await storeDeliveries(table, id, job.deliveries, overdueMs);
          return {};
        }
        case 'run':
          return run();
        case 'runBehind':
          return runBehind(job.url);
      }
    },
  };
});
