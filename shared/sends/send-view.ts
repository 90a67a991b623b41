import * as z from 'zod/mini';
import { failedAttemptSchema, type Send, sendSchema, stateAt } from '#shared/sending/send';

/** A send as callers see it. */
export const sendViewSchema = z.object({
  _id: z.string(),
  ...z.omit(sendSchema, {
    id: true,
    feedbackId: true,
    apiKeyId: true,
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
    hasNewRecipients: true,
    attempts: true,
    freed: true,
    expiresAt: true,
  }).shape,
  /** The attempts that failed before this state, oldest first; absent when there are none. */
  attempts: z.optional(z.array(failedAttemptSchema)),
  failureReason: z.optional(z.string()),
});

/** The send at the moment `now`, epoch milliseconds. The schema of an answer takes out what is not for callers. */
export const toSendView = (send: Send, now: number) => ({
  ...send,
  ...stateAt(send, now),
  _id: send.id,
  attempts: send.attempts.length > 0 ? send.attempts : undefined,
});
