import * as z from 'zod/mini';
import { deliveryStatuses, messageTypes } from '#shared/deliveries/delivery';
import { deliveryViewSchema } from '#shared/deliveries/delivery-view';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { sendIdSchema, webhookIdSchema } from '#shared/tokens/resource-id';

/** Path of GET /api/v1/webhooks/{id}/deliveries. */
export const pathSchema = z.object({ id: webhookIdSchema });

/** Query of GET /api/v1/webhooks/{id}/deliveries. */
export const querySchema = z.strictObject({
  ...pageQueryFields,
  status: z.optional(z.enum(deliveryStatuses)),
  type: z.optional(z.enum(messageTypes)),
  /** Only what tells of this send. */
  send: z.optional(sendIdSchema),
});
export type ListDeliveriesQuery = z.infer<typeof querySchema>;

/**
 * Response 200, newest first. With `status` or `type`, a page may have fewer deliveries than the limit, or
 * none, and still a `nextCursor`: one request reads only a part of the log.
 */
export const responseSchema = pageSchema(deliveryViewSchema);
