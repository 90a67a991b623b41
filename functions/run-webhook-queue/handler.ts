import { cronEnvironment, parseEnvironment } from '#shared/config/environment';
import { openDelivering } from '#shared/deliveries/delivering';
import { openDueDeliveryStore } from '#shared/deliveries/due-delivery-store';
import { httpWorkMs, scheduledWorkMs } from '#shared/deliveries/run-due-deliveries';
import { serve } from '#shared/endpoints/serve';
import { openCronGate } from '#shared/http/shared-secret';
import { openRequestLog } from '#shared/observability/request-log';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { runWebhookQueue } from './run-webhook-queue.ts';

const environment = parseEnvironment(cronEnvironment);
const table = openTable(environment.TABLE_NAME);
const queueRun = {
  ...openDelivering(table, environment),
  admitCron: openCronGate(environment.CRON_SECRET_ID),
  dueDeliveries: openDueDeliveryStore(table),
  // They outlive a run: Lambda mostly gives the next run to the same process.
  shares: new Map(),
};

const serveRun = serve(endpoint, queueRun, ({ log }) => runWebhookQueue(httpWorkMs, queueRun, log));

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
