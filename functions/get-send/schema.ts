import * as z from 'zod/mini';
import { eventSchema } from '#shared/events/event';
import { messageSchema, sendSchema } from '#shared/sending/send';
import { deliveryStatuses } from '#shared/webhooks/delivery';

/** Response 200 of GET /api/v1/sends/{id}; the names are the contract's. */
export const responseSchema = z.object({
  send: z.object({
    _id: z.string(),
    ...z.omit(sendSchema, {
      id: true,
      feedbackId: true,
      isReadableById: true,
      providerMessageId: true,
    }).shape,
  }),
  messages: z.array(messageSchema),
  events: z.array(eventSchema),
  /** What webhook endpoints were told, one entry a delivery. */
  webhooks: z.array(
    z.object({
      endpointId: z.string(),
      type: z.string(),
      status: z.enum(deliveryStatuses),
      attempts: z.int(),
      lastStatusCode: z.optional(z.int()),
    }),
  ),
});
