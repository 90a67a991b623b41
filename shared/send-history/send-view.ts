import * as z from 'zod/mini';
import { nothingElse } from '#shared/errors/nothing-else';
import type { EventAttributes } from '#shared/sending/event-attributes';
import { contentUntil } from '#shared/sending/kept-content';
import {
  failedAttemptSchema,
  type Send,
  sendFactsSchema,
  sendStatuses,
  stateAt,
  toOf,
} from '#shared/sending/send';
import { type SendOptions, storedSendOptions } from '#shared/sending/send-options';
import { outcomeOf, outcomes } from './outcome.ts';

const shown = {
  fromEmail: true,
  fromName: true,
  toEmail: true,
  cc: true,
  bcc: true,
  subject: true,
  policyKey: true,
  idempotencyKey: true,
  suppressedRecipients: true,
  templateId: true,
  templateVersion: true,
  templateLocale: true,
  missingVariables: true,
  endpoint: true,
  test: true,
  attachmentCount: true,
  attachmentBytes: true,
  resendOf: true,
  resentAs: true,
  sendAt: true,
  createdAt: true,
  updatedAt: true,
} as const;

const hidden = {
  id: true,
  moreTo: true,
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
  untracked: true,
  contentDays: true,
  contentKey: true,
  attempts: true,
  dueAt: true,
  dueSince: true,
  giveUpAt: true,
  contentId: true,
  waitingKey: true,
  freed: true,
  forgottenAt: true,
  expiresAt: true,
} as const;
type Unlisted = Exclude<
  keyof Send,
  'status' | keyof (typeof shown & typeof hidden & SendOptions & EventAttributes)
>;
nothingElse({} satisfies Record<Unlisted, never>);

const trackingSetting = z.enum(['email', 'policy', 'organization']);

export const sendViewSchema = z.object({
  _id: z.string(),
  status: z.enum(sendStatuses),
  ...z.pick(sendFactsSchema, shown).shape,
  outcome: z.enum(outcomes),
  outcomeAt: z.int(),
  to: z.optional(z.array(z.string())),
  ...storedSendOptions,
  untracked: z.optional(
    z.object({ opens: z.optional(trackingSetting), clicks: z.optional(trackingSetting) }),
  ),
  /** Attempts before this state, oldest first; absent if there were none. */
  attempts: z.optional(z.array(failedAttemptSchema)),
  failureReason: z.optional(z.string()),
  /** Epoch milliseconds; absent if the content isn't kept. */
  contentUntil: z.optional(z.int()),
});

/** The answer's schema removes what callers may not see. */
export const toSendView = (send: Send, now: number) => ({
  ...send,
  ...stateAt(send, now),
  ...outcomeOf(send, now),
  _id: send.id,
  to: severalTo(send),
  attempts: send.attempts.length > 0 ? send.attempts : undefined,
  untracked: untrackedOf(send),
  contentUntil: contentUntil(send),
});

/** `undefined` if there is only one. */
export const severalTo = (send: Send): readonly string[] | undefined =>
  send.moreTo.length > 0 ? toOf(send) : undefined;

export function untrackedOf({
  tracking,
  untracked,
}: Pick<Send, 'tracking' | 'untracked'>): z.infer<typeof sendViewSchema>['untracked'] {
  const opens = tracking?.opens === false ? 'email' : untracked?.opens;
  const clicks = tracking?.clicks === false ? 'email' : untracked?.clicks;
  if (opens === undefined && clicks === undefined) return undefined;
  return { ...(opens && { opens }), ...(clicks && { clicks }) };
}
