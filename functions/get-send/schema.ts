import * as z from 'zod/mini';
import { eventSchema } from '#shared/events/event';
import { messageSchema } from '#shared/sending/message';
import { failedAttemptSchema, sendSchema } from '#shared/sending/send';
import { sendIdSchema } from '#shared/tokens/resource-id';
import { deliveryStatuses } from '#shared/webhooks/delivery';

/** Path of GET /api/v1/sends/{id}. */
export const pathSchema = z.object({ id: sendIdSchema });

/** Response 200 of GET /api/v1/sends/{id}. */
export const responseSchema = z.object({
  send: z.object({
    _id: z.string(),
    ...z.omit(sendSchema, {
      id: true,
      feedbackId: true,
      isReadableById: true,
      providerMessageId: true,
      sentAt: true,
      attempt: true,
      claimId: true,
      claimedAt: true,
      leaseExpiresAt: true,
      doubtUntil: true,
      provenAt: true,
      fingerprint: true,
      attempts: true,
      expiresAt: true,
    }).shape,
    /** The attempts that failed before this state, oldest first; absent when there are none. */
    attempts: z.optional(z.array(failedAttemptSchema)),
    failureReason: z.optional(z.string()),
  }),
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
