import * as z from 'zod/mini';
import { parseEnvironment } from '#shared/config/environment';
import { secretReader } from '#shared/config/secret';
import { cronEnvironment } from '#shared/config/webhook-environment';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { requireCronSecret } from '#shared/http/shared-secret';
import { publishCount, publishDuration } from '#shared/observability/metrics';
import { openRequestLog, type RequestLog } from '#shared/observability/request-log';
import { dueShards } from '#shared/table/delivery-keys';
import { openTable } from '#shared/table/table-client';
import { attemptDelivery } from '#shared/webhooks/attempt-delivery';
import { openDelivering } from '#shared/webhooks/delivering';
import { openDueDeliveryStore } from '#shared/webhooks/due-delivery-store';
import { type RunResult, runDueDeliveries } from '#shared/webhooks/run-due-deliveries';
import { headersSchema, responseSchema } from './schema.ts';

/** No attempt begins later than this: the longest takes 15 s, and HTTP API waits for 30 s. */
const beginWithinMs = 10_000;

const environment = parseEnvironment(cronEnvironment);
const table = openTable(environment.TABLE_NAME);
const cronSecret = secretReader(environment.CRON_SECRET_ID, z.string());
const dueDeliveries = openDueDeliveryStore(table);
const delivering = openDelivering(table, environment);

async function run(log: RequestLog): Promise<RunResult> {
  const startedAt = Date.now();
  let oldestDueAt = startedAt;
  const result = await runDueDeliveries(startedAt + beginWithinMs, {
    now: Date.now,
    shards: dueShards,
    readDuePage: async (shard, after) => {
      const page = await dueDeliveries.find(shard, startedAt, after);
      oldestDueAt = Math.min(oldestDueAt, ...page.entries.map(({ dueAt }) => dueAt));
      return page;
    },
    attempt: async (delivery) => {
      const attempted = await attemptDelivery(delivery, 'due', delivering);
      log.info('webhook attempted', { deliveryId: delivery.id, result: attempted });
      publishCount('WebhookAttempted', { result: attempted });
      return attempted;
    },
    reportFailure: ({ id: deliveryId }, error) =>
      log.error('webhook attempt not recorded', error, { deliveryId }),
  });
  // Every run publishes it, also when nothing was due: an alarm rings when it is high or missing.
  publishDuration('WebhookOldestDueLateness', startedAt - oldestDueAt);
  if (result.processed > 0) log.info('webhook queue run', result);
  return result;
}

const endpoint = bodilessEndpoint(async ({ headers, log }) => {
  const presented = parseParameters(headersSchema, headers)['x-cron-secret'];
  requireCronSecret(presented, await cronSecret());
  return jsonResponse(responseSchema.parse(await run(log)));
});

/** EventBridge Scheduler invokes the function directly, and IAM authorizes it. */
export type ScheduledRun = { readonly scheduledRun: true };

type HttpInvocation = Parameters<typeof endpoint>;

export const handler = (event: HttpInvocation[0] | ScheduledRun, context: HttpInvocation[1]) =>
  'scheduledRun' in event
    ? run(openRequestLog({ requestId: context.awsRequestId }))
    : endpoint(event, context);
