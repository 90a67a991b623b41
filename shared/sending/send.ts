import * as z from 'zod/mini';
import { feedbackIdSchema, sendIdSchema, templateIdSchema } from '#shared/tokens/resource-id';

/**
 * The status of a send only moves forward:
 *
 * | from      | to           | when                                                          |
 * |-----------|--------------|---------------------------------------------------------------|
 * | (none)    | `sending`    | claimed: nothing has left yet, or its outcome is not known     |
 * | `sending` | `sent`       | SES accepted it, told by its answer or by its own Send event   |
 * | `sending` | `suppressed` | the policy forbids an email to the `to` address               |
 * | `sending` | `failed`     | SES refused it for good, or throttled past the time budget    |
 * | `sent`    | `failed`     | SES accepted it, then rejected the content (Reject event)      |
 */
export const sendStatuses = ['sending', 'sent', 'suppressed', 'failed'] as const;
export type SendStatus = (typeof sendStatuses)[number];

/** The two endpoints that send; they differ in usage counting alone. */
export const sendEndpoints = ['send', 'send-global'] as const;
export type SendEndpoint = (typeof sendEndpoints)[number];

const suppressedRecipientSchema = z.object({ email: z.string(), reason: z.string() });
/** An address that was left out of a send, and why (`bounce`, `unsubscribe`, …). */
export type SuppressedRecipient = z.infer<typeof suppressedRecipientSchema>;

export const sendSchema = z.object({
  id: sendIdSchema,
  feedbackId: feedbackIdSchema,
  status: z.enum(sendStatuses),
  fromEmail: z.string(),
  toEmail: z.string(),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  subject: z.string(),
  policyKey: z.string(),
  idempotencyKey: z.optional(z.string()),
  /** Made with a key without scopes: its unguessable id alone may read it. */
  isReadableById: z.boolean(),
  suppressedRecipients: z.array(suppressedRecipientSchema),
  /** The template it was written by, and the variables that were missing; at most 50 are kept. */
  templateId: z.optional(templateIdSchema),
  missingVariables: z.optional(z.array(z.string())),
  /** For the usage: sends that are older than its counting from the stream have none of these. */
  endpoint: z.optional(z.enum(sendEndpoints)),
  attachmentCount: z.optional(z.int()),
  /** Decoded, all together. */
  attachmentBytes: z.optional(z.int()),
  failureReason: z.optional(z.string()),
  providerMessageId: z.optional(z.string()),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Send = z.infer<typeof sendSchema>;

export const messageSchema = z.object({
  sendId: sendIdSchema,
  provider: z.literal('ses'),
  fromEmail: z.string(),
  toEmail: z.string(),
  feedbackId: feedbackIdSchema,
  providerMessageId: z.string(),
  createdAt: z.int(),
});
/** One message that SES accepted for a send. */
export type Message = z.infer<typeof messageSchema>;

/** That SES took the message: its id, and when, in epoch milliseconds. */
export type Acceptance = { readonly providerMessageId: string; readonly at: number };

export const sendResponseSchema = z.object({
  sendId: sendIdSchema,
  status: z.enum(sendStatuses),
  messageId: z.optional(z.string()),
  suppressedRecipients: z.optional(z.array(suppressedRecipientSchema)),
  missingVariables: z.optional(z.array(z.string())),
});
/** What a send answers, first time and on every replay. */
export type SendResponse = z.infer<typeof sendResponseSchema>;

/** The answer to a send that has reached `status`. */
export const sendResponseOf = (
  send: Send,
  status: SendStatus,
  providerMessageId?: string,
): SendResponse => ({
  sendId: send.id,
  status,
  ...(providerMessageId !== undefined && { messageId: providerMessageId }),
  ...(send.suppressedRecipients.length > 0 && { suppressedRecipients: send.suppressedRecipients }),
  ...(send.missingVariables !== undefined && { missingVariables: send.missingVariables }),
});
