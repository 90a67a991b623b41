import * as z from 'zod/mini';
import { parseEnvironment } from '#shared/config/environment';
import { cronGate, operatorGate } from '#shared/http/shared-secret';
import type { RequestLog } from '#shared/observability/request-log';
import { openServiceFor } from './open-function.ts';
import { type CallerAdmission, operationOf, type Served, serverWith } from './serve.ts';
import { type ScheduledRun, serveSchedule } from './serve-background.ts';

const operatorEnvironment = z.object({ OPERATOR_SECRET_ID: z.string().check(z.minLength(1)) });
const cronEnvironment = z.object({ CRON_SECRET_ID: z.string().check(z.minLength(1)) });

const uncounted = async () => {};

const byOperatorSecret: CallerAdmission = () => {
  const admit = operatorGate(parseEnvironment(operatorEnvironment).OPERATOR_SECRET_ID);
  return async ({ headers }, work) => work(await admit(headers['x-operator-secret']), uncounted);
};

/** As `serve`, for the operator. */
export const serveOperator = /* @__PURE__ */ serverWith(byOperatorSecret);

const byCronSecret: CallerAdmission = () => {
  const admit = cronGate(parseEnvironment(cronEnvironment).CRON_SECRET_ID);
  return async ({ headers }, work) => {
    await admit(headers['x-cron-secret']);
    return work(undefined, uncounted);
  };
};

const serveBySecret = /* @__PURE__ */ serverWith(byCronSecret);

/** The deployment's own schedule runs the endpoint too. Both share what is opened. */
export const serveCron = (endpoint: Served) => {
  const service = openServiceFor(endpoint);
  const shared = { ...endpoint, uses: () => service };
  const overHttp = serveBySecret(shared, service.table);
  const run = operationOf(endpoint);
  const bySchedule = serveSchedule(
    {
      ...shared,
      run: (_service: object, log: RequestLog) => run({ caller: 'schedule', log }, service),
    },
    service.table,
  );
  type Invocation = Parameters<typeof overHttp>;
  return (event: Invocation[0] | ScheduledRun, context: Invocation[1]) =>
    'scheduledRun' in event ? bySchedule(event, context) : overHttp(event, context);
};
