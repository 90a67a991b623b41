import * as z from 'zod/mini';

export const eventTypes = [
  'sent',
  'delayed',
  'delivered',
  'bounced',
  'complained',
  'opened',
  'clicked',
] as const;
export type EventType = (typeof eventTypes)[number];

const eventRecipientSchema = z.object({
  email: z.string(),
  /** What the recipient's server said, such as `smtp; 550 5.1.1 user unknown`. */
  diagnostic: z.optional(z.string()),
});
/** A recipient who didn't get an email, or not yet, or complained. */
export type EventRecipient = z.infer<typeof eventRecipientSchema>;

export const eventSchema = z.object({
  type: z.enum(eventTypes),
  /** Epoch milliseconds, by SES's clock if it says. */
  ts: z.int(),
  /** Only on events from SES. */
  providerMessageId: z.optional(z.string()),
  /**
   * The kind of bounce, complaint or delay in SES's words, such as `Permanent/General` or `MailboxFull`;
   * `provider_suppressed` or `address_guess` if SES decided without asking the recipient's server.
   */
  reason: z.optional(z.string()),
  /** Whose bounce, complaint or delay it is. */
  recipients: z.optional(z.array(eventRecipientSchema)),
  /**
   * A click's destination, without query and fragment; without its path, too, once somebody was erased from the send.
   */
  url: z.optional(z.string()),
  /** For opens and clicks: how often, and whether only machines were seen. */
  hits: z.optional(z.int()),
  machine: z.optional(z.boolean()),
});
export type Event = z.infer<typeof eventSchema>;
