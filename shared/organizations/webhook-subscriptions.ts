import * as z from 'zod/mini';

/** The events that a webhook can subscribe to. `webhook.test` is sent on request only. */
export const webhookEventTypes = [
  'email.sent',
  'email.delivered',
  'email.bounced',
  'email.complained',
  'email.opened',
  'email.clicked',
  'contact.unsubscribed',
  'contact.preferences_updated',
  'identity.active',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/**
 * The event types that each enabled webhook wants, by its id; no types means all. The organization keeps
 * them, so that a send reads them together with the organization.
 */
export const webhookSubscriptionsSchema = z.record(
  z.string(),
  z.object({ eventTypes: z.array(z.enum(webhookEventTypes)) }),
);
export type WebhookSubscriptions = z.infer<typeof webhookSubscriptionsSchema>;
