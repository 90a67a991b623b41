import * as z from 'zod';
import { eventSchema } from '#shared/events/event';
import { messageSchema, sendSchema } from '#shared/sending/send';

/** Response 200 of GET /api/v1/sends/{id}; the names are the contract's. */
export const responseSchema = z.object({
  send: z.object({
    _id: z.string(),
    ...sendSchema.omit({
      id: true,
      feedbackId: true,
      isReadableById: true,
      providerMessageId: true,
    }).shape,
  }),
  messages: z.array(messageSchema),
  events: z.array(eventSchema),
});
