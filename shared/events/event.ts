import * as z from 'zod/mini';

/** The timeline has events of these types and of no other. */
export const eventTypes = [
  'sent',
  'delivered',
  'bounced',
  'complained',
  'opened',
  'clicked',
] as const;
export type EventType = (typeof eventTypes)[number];

const eventRecipientSchema = z.object({
  email: z.string(),
  /** Why, in the words of the recipient's server, for example `smtp; 550 5.1.1 user unknown`. */
  diagnostic: z.optional(z.string()),
});
/** Somebody whom an email did not reach, or who complained about it. */
export type EventRecipient = z.infer<typeof eventRecipientSchema>;

export const eventSchema = z.object({
  type: z.enum(eventTypes),
  /** Epoch milliseconds, of the provider's own clock where it tells. */
  ts: z.int(),
  /** Present on provider-sourced events. */
  providerMessageId: z.optional(z.string()),
  /**
   * What kind of bounce or complaint, in SES's words, for example `Permanent/General`; `provider_suppressed` or
   * `address_guess` where SES decided by itself and never asked the recipient's server.
   */
  reason: z.optional(z.string()),
  /** Of a bounce or complaint: whose, by address. */
  recipients: z.optional(z.array(eventRecipientSchema)),
  /** Of a click: where the link leads, without query and fragment. */
  url: z.optional(z.string()),
  /** Of opens and clicks: how often, and whether only machines were seen. */
  hits: z.optional(z.int()),
  machine: z.optional(z.boolean()),
});
export type Event = z.infer<typeof eventSchema>;
