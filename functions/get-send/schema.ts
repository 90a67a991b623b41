import * as z from 'zod/mini';
import { deliveryStatuses } from '#shared/deliveries/delivery';
import { eventSchema } from '#shared/events/event';
import { messageSchema } from '#shared/sends/message';
import { sendViewSchema } from '#shared/sends/send-view';
import { feedbackIdSchema, sendIdSchema } from '#shared/tokens/resource-id';

/** Path of GET /api/v1/sends/{id}. */
export const pathSchema = z.object({ id: sendIdSchema });

/** Response 200 of GET /api/v1/sends/{id}. */
export const responseSchema = z.object({
  /** With the name that the log has for it: the log holds no id by which a send can be read. */
  send: z.extend(sendViewSchema, { feedbackId: feedbackIdSchema }),
  messages: z.array(messageSchema),
  events: z.array(eventSchema),
  /** What webhook endpoints were told: one entry for each delivery. */
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
