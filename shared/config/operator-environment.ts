import * as z from 'zod/mini';
import { tableEnvironment } from './environment.ts';
import { limitsEnvironment } from './limits-environment.ts';

/** Environment of the functions that only the operator of the deployment may call. */
export const operatorEnvironment = z.extend(tableEnvironment, {
  OPERATOR_SECRET_ID: z.string().check(z.minLength(1)),
});

/** Environment of those that show or set the limits of an organization. */
export const operatorLimitsEnvironment = z.extend(operatorEnvironment, limitsEnvironment.shape);
