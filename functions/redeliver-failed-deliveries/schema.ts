import * as z from 'zod/mini';
import { momentSchema } from '#shared/timing/moment';
import { webhookIdSchema } from '#shared/tokens/resource-id';

/** Path of POST /api/v1/webhooks/{id}/redeliver-failed. */
export const pathSchema = z.object({ id: webhookIdSchema });

/** Body of POST /api/v1/webhooks/{id}/redeliver-failed. */
export const requestSchema = z.strictObject({
  /** Epoch milliseconds, or ISO 8601 with a time zone. */
  since: momentSchema,
  /** `nextCursor` of the previous answer; the request continues there. */
  cursor: z.exactOptional(z.string()),
});
export type RedeliverFailedRequest = z.infer<typeof requestSchema>;

/** Response 202. With a `nextCursor` there may be more: repeat the request with it as `cursor`. */
export const responseSchema = z.object({
  redelivered: z.int(),
  nextCursor: z.nullable(z.string()),
});
