import * as z from 'zod/mini';
import { deliveryStatuses } from '#shared/webhooks/delivery';
import { cursorSchema } from '#shared/webhooks/delivery-log';
import { deliveryViewSchema } from '#shared/webhooks/delivery-log-view';
import { webhookEventTypes } from '#shared/webhooks/webhook';

/** Query of GET /api/v1/webhooks/{id}/deliveries. */
export const querySchema = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
  cursor: z.optional(cursorSchema),
  status: z.optional(z.enum(deliveryStatuses)),
  type: z.optional(z.enum([...webhookEventTypes, 'webhook.test'])),
});
export type ListDeliveriesQuery = z.infer<typeof querySchema>;

/**
 * Response 200, newest first. With `status` or `type`, a page may hold fewer deliveries than asked for, or
 * none, and still have a `nextCursor`: a request reads the log only so far.
 */
export const responseSchema = z.object({
  data: z.array(deliveryViewSchema),
  nextCursor: z.nullable(z.string()),
});
