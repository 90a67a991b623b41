import * as z from 'zod/mini';
import { type Acceptance, firstMailedOf, type Send } from '#shared/sending/send';
import { feedbackIdSchema, sendIdSchema } from '#shared/tokens/resource-id';

export const messageSchema = z.object({
  sendId: sendIdSchema,
  provider: z.literal('ses'),
  fromEmail: z.string(),
  toEmail: z.string(),
  feedbackId: feedbackIdSchema,
  providerMessageId: z.string(),
  createdAt: z.int(),
});
export type Message = z.infer<typeof messageSchema>;

/** The accepted message, and those that SES rejected later. */
export function acceptancesOf({ attempts, providerMessageId, sentAt }: Send): Acceptance[] {
  const all = [...attempts, { providerMessageId, sentAt }].flatMap((one) =>
    one.providerMessageId === undefined || one.sentAt === undefined
      ? []
      : [{ providerMessageId: one.providerMessageId, at: one.sentAt }],
  );
  return onceEach(all);
}

/** A further message may have become the send's own since. */
export const onceEach = (acceptances: readonly Acceptance[]): Acceptance[] => [
  ...new Map(acceptances.map((one) => [one.providerMessageId, one])).values(),
];

export const messageOf = (send: Send, { providerMessageId, at }: Acceptance): Message => ({
  sendId: send.id,
  provider: 'ses',
  fromEmail: send.fromEmail,
  toEmail: firstMailedOf(send),
  feedbackId: send.feedbackId,
  providerMessageId,
  createdAt: at,
});
