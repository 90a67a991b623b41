import * as z from 'zod/mini';
import { tableEnvironment } from './environment.ts';

/** Environment of the functions that make webhook deliveries. */
export const deliveryEnvironment = z.extend(tableEnvironment, {
  WEBHOOK_MAX_ATTEMPTS: z._default(z.coerce.number().check(z.int(), z.positive()), 5),
  /** Well below the lease of an attempt, 30 s. */
  WEBHOOK_TIMEOUT_MS: z._default(
    z.coerce.number().check(z.int(), z.positive(), z.lte(20_000)),
    15_000,
  ),
  /** `true` in the local twin alone: receivers on this machine, without TLS. */
  WEBHOOK_ALLOW_LOOPBACK_HTTP: z._default(z.stringbool(), false),
});

/** Environment of the functions that take a webhook's URL from its owner. */
export const webhookUrlEnvironment = z.pick(deliveryEnvironment, {
  TABLE_NAME: true,
  WEBHOOK_ALLOW_LOOPBACK_HTTP: true,
});

/** Environment of the function that attempts the webhook deliveries that are due. */
export const cronEnvironment = z.extend(deliveryEnvironment, {
  CRON_SECRET_ID: z.string().check(z.minLength(1)),
});
