import * as z from 'zod/mini';
import { nothingElse } from '#shared/errors/nothing-else';
import { failedAttemptSchema, type Send, sendSchema, stateAt } from '#shared/sending/send';

/** What callers see of a stored send, in the order of the answer. */
const shown = {
  status: true,
  fromEmail: true,
  toEmail: true,
  cc: true,
  bcc: true,
  subject: true,
  policyKey: true,
  idempotencyKey: true,
  suppressedRecipients: true,
  templateId: true,
  missingVariables: true,
  endpoint: true,
  attachmentCount: true,
  attachmentBytes: true,
  createdAt: true,
  updatedAt: true,
} as const;

/** What they don't see, or see in another form. */
const hidden = {
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
} as const;
nothingElse(z.omit(z.omit(sendSchema, shown), hidden).shape);

/** A send as callers see it. */
export const sendViewSchema = z.object({
  _id: z.string(),
  ...z.pick(sendSchema, shown).shape,
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
