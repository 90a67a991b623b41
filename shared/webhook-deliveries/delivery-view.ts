import * as z from 'zod/mini';
import { type Delivery, deliverySchema } from './delivery.ts';

export const deliveryViewSchema = z.object({
  ...z.pick(deliverySchema, {
    id: true,
    messageId: true,
    type: true,
    status: true,
    attempts: true,
    failureReason: true,
    redeliveryOf: true,
    redeliveredAs: true,
    createdAt: true,
  }).shape,
  /** When the next attempt may begin. Only while the delivery is pending. */
  nextAttemptAt: z.optional(z.int()),
  /** The body of each of its requests, byte for byte. */
  payload: z.string(),
});

export const toDeliveryView = (delivery: Delivery): z.infer<typeof deliveryViewSchema> =>
  deliveryViewSchema.parse({
    ...delivery,
    payload: delivery.body,
    ...(delivery.status === 'pending' && { nextAttemptAt: delivery.dueAt }),
  });
