import * as z from 'zod/mini';
import { parseEnvironment } from '#shared/config/environment';
import { cronGate, operatorGate } from '#shared/http/shared-secret';
import { type CallerAdmission, serverWith } from './serve.ts';

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

export const serveCron = /* @__PURE__ */ serverWith(byCronSecret);
