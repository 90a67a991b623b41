import { openFunction, openOwnTable } from '#shared/endpoints/open-function';
import { type ScheduledRun, serveSchedule } from '#shared/endpoints/serve-background';
import { serveCron } from '#shared/endpoints/serve-secret';
import { scheduledWorkMs } from '#shared/webhook-deliveries/run-due-deliveries';
import { endpoint, runWebhookQueue } from './run-webhook-queue.ts';

const ownTable = openOwnTable();
const queueRun = openFunction(endpoint.lambda, endpoint.uses, ownTable);
const overHttp = serveCron({ ...endpoint, uses: () => queueRun }, ownTable);
const bySchedule = serveSchedule(
  endpoint.lambda,
  () => queueRun,
  (run, log) => runWebhookQueue(scheduledWorkMs, run, log),
  ownTable,
);

type HttpInvocation = Parameters<typeof overHttp>;

export const handler = (event: HttpInvocation[0] | ScheduledRun, context: HttpInvocation[1]) =>
  'scheduledRun' in event ? bySchedule(event, context) : overHttp(event, context);
