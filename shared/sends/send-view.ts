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

export const sendViewSchema = z.object({
  _id: z.string(),
  ...z.pick(sendSchema, shown).shape,
  /** The failed attempts before this state, oldest first; absent if none. */
  attempts: z.optional(z.array(failedAttemptSchema)),
  failureReason: z.optional(z.string()),
});

/** The send at `now`, epoch milliseconds. The answer's schema removes what callers may not see. */
export const toSendView = (send: Send, now: number) => ({
  ...send,
  ...stateAt(send, now),
  _id: send.id,
  attempts: send.attempts.length > 0 ? send.attempts : undefined,
});
