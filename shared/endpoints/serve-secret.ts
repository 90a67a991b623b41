import * as z from 'zod/mini';
import { admitSession } from '#shared/access/admit-caller';
import { requireOperator } from '#shared/access/operators';
import { requireShownKey } from '#shared/access/sign-in';
import { parseEnvironment } from '#shared/config/environment';
import { sessionIn } from '#shared/http/session-cookie';
import { cronGate, operatorGate } from '#shared/http/shared-secret';
import type { RequestLog } from '#shared/observability/request-log';
import { openServiceFor } from './open-function.ts';
import { type CallerAdmission, operationOf, type Served, serverWith } from './serve.ts';
import { type ScheduledRun, serveSchedule } from './serve-background.ts';

const operatorEnvironment = z.object({ OPERATOR_SECRET_ID: z.string().check(z.minLength(1)) });
const cronEnvironment = z.object({ CRON_SECRET_ID: z.string().check(z.minLength(1)) });

const uncounted = async () => {};

/** Programs have the secret, which costs no read; people have a session. The secret counts if a request has both. */
const byOperator: CallerAdmission = (_endpoint, service) => {
  const admit = operatorGate(parseEnvironment(operatorEnvironment).OPERATOR_SECRET_ID);
  return async ({ headers, context, method }, work) => {
    const secret = headers['x-operator-secret'];
    const credential = secret === undefined ? sessionIn(headers['cookie']) : undefined;
    if (credential === undefined) {
      return work({ ...(await admit(secret)), actor: 'operator' }, uncounted);
    }
    const caller = await admitSession({ credential, context }, service);
    requireOperator(caller.apiKey);
    const { cursorOwner, actor } = caller;
    return work({ ...cursorOwner, actor }, async () => {
      if (method !== 'GET') requireShownKey(caller, service.now());
    });
  };
};

/** As `serve`, for the operator. */
export const serveOperator = /* @__PURE__ */ serverWith(byOperator);

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
