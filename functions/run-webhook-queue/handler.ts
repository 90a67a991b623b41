import * as z from 'zod/mini';
import { cronEnvironment, parseEnvironment } from '#shared/config/environment';
import { secretReader } from '#shared/config/secret';
import { openDelivering } from '#shared/deliveries/delivering';
import { openDueDeliveryStore } from '#shared/deliveries/due-delivery-store';
import { httpWorkMs, scheduledWorkMs } from '#shared/deliveries/run-due-deliveries';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { requireCronSecret } from '#shared/http/shared-secret';
import { openRequestLog } from '#shared/observability/request-log';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { type QueueRun, runWebhookQueue } from './run-webhook-queue.ts';

const environment = parseEnvironment(cronEnvironment);
const table = openTable(environment.TABLE_NAME);
const cronSecret = secretReader(environment.CRON_SECRET_ID, z.string());
const queueRun: QueueRun = {
  ...openDelivering(table, environment),
  dueDeliveries: openDueDeliveryStore(table),
  // They outlive a run: Lambda mostly gives the next run to the same process.
  shares: new Map(),
};

const serveRun = bodilessEndpoint(async ({ headers, log }) => {
  const presented = headers['x-cron-secret'];
  requireCronSecret(presented, await cronSecret());
  return jsonResponse(
    endpoint.answers[200].body.parse(await runWebhookQueue(httpWorkMs, queueRun, log)),
  );
});

/** EventBridge Scheduler invokes the function directly, and IAM authorizes it. */
export type ScheduledRun = { readonly scheduledRun: true };

type HttpInvocation = Parameters<typeof serveRun>;

export const handler = (event: HttpInvocation[0] | ScheduledRun, context: HttpInvocation[1]) =>
  'scheduledRun' in event
    ? runWebhookQueue(
        scheduledWorkMs,
        queueRun,
        openRequestLog({ requestId: context.awsRequestId }),
      )
    : serveRun(event, context);
