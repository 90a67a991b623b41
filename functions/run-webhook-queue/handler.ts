import { openFunction, openOwnTable } from '#shared/endpoints/open-function';
import { type ScheduledRun, serveSchedule } from '#shared/endpoints/serve-background';
import { serveCron } from '#shared/endpoints/serve-secret';
import { openDelivering } from '#shared/webhook-deliveries/attempt-delivery';
import { openDueDeliveryStore } from '#shared/webhook-deliveries/delivery-store';
import { httpWorkMs, scheduledWorkMs } from '#shared/webhook-deliveries/run-due-deliveries';
import { endpoint } from './endpoint.ts';
import { runWebhookQueue } from './run-webhook-queue.ts';

const ownTable = openOwnTable();
const queueRun = openFunction(
  endpoint.lambda,
  (table, environment) => ({
    ...openDelivering(table, environment),
    dueDeliveries: openDueDeliveryStore(table),
    // Kept between runs: Lambda mostly gives the next run to the same process.
    shares: new Map(),
  }),
  ownTable,
);
const overHttp = serveCron(
  endpoint,
  () => queueRun,
  ({ log }, run) => runWebhookQueue(httpWorkMs, run, log),
  ownTable,
);
const bySchedule = serveSchedule(
  endpoint.lambda,
  () => queueRun,
  (run, log) => runWebhookQueue(scheduledWorkMs, run, log),
  ownTable,
);

type HttpInvocation = Parameters<typeof overHttp>;

export const handler = (event: HttpInvocation[0] | ScheduledRun, context: HttpInvocation[1]) =>
  'scheduledRun' in event ? bySchedule(event, context) : overHttp(event, context);
