import * as z from 'zod/mini';
import type { Caller } from '#shared/access/admit-caller';
import { hasScope } from '#shared/access/scopes';
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
  /** The body of each of its requests, byte for byte. Empty if the caller may not read what it has. */
  payload: z.string(),
});

export const toDeliveryView = (
  delivery: Delivery,
  { apiKey }: Pick<Caller, 'apiKey'>,
): z.infer<typeof deliveryViewSchema> =>
  deliveryViewSchema.parse({
    ...delivery,
    payload:
      delivery.type === 'audit.recorded' && !hasScope(apiKey.scopes, 'manage_organization')
        ? ''
        : delivery.body,
    ...(delivery.status === 'pending' && { nextAttemptAt: delivery.dueAt }),
  });
