import * as z from 'zod';
import { cronEnvironment, parseEnvironment } from '#shared/config/environment';
import { secretReader } from '#shared/config/secret';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { requireCronSecret } from '#shared/http/shared-secret';
import { dueShards } from '#shared/table/keys';
import { openTable } from '#shared/table/table-client';
import { attemptDelivery } from '#shared/webhooks/attempt-delivery';
import { createAttemptDependencies } from '#shared/webhooks/attempt-dependencies';
import { findDueDeliveries } from '#shared/webhooks/delivery-store';
import { type RunResult, runDueDeliveries } from '#shared/webhooks/run-due-deliveries';

/** No attempt begins later than this: the longest takes 15 s, and HTTP API waits for 30. */
const beginWithinMs = 10_000;

const environment = parseEnvironment(cronEnvironment);
const table = openTable(environment.TABLE_NAME);
const cronSecret = secretReader(environment.CRON_SECRET_ID, z.string());
const attemptDependencies = createAttemptDependencies(table, environment);

function run(): Promise<RunResult> {
  const startedAt = Date.now();
  return runDueDeliveries(startedAt + beginWithinMs, {
    now: Date.now,
    shards: dueShards,
    readDuePage: (shard, after) => findDueDeliveries(table, shard, startedAt, after),
    attempt: (id) => attemptDelivery(id, 'due', attemptDependencies),
  });
}

const endpoint = bodilessEndpoint(async ({ headers, log }) => {
  requireCronSecret(headers['x-cron-secret'], await cronSecret());
  const result = await run();
  log.info('webhook queue run', result);
  return jsonResponse(result);
});

/** EventBridge Scheduler invokes the function directly; IAM is its authority. */
export type ScheduledRun = { readonly scheduledRun: true };

type HttpInvocation = Parameters<typeof endpoint>;

export const handler = (event: HttpInvocation[0] | ScheduledRun, context: HttpInvocation[1]) =>
  'scheduledRun' in event ? run() : endpoint(event, context);
