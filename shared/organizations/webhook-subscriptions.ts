import * as z from 'zod/mini';

/** The events that a webhook can subscribe to. `webhook.test` is sent on request only. */
export const webhookEventTypes = [
  'email.scheduled',
  'email.suppressed',
  'email.sent',
  'email.failed',
  'email.delayed',
  'email.delivered',
  'email.bounced',
  'email.complained',
  'email.opened',
  'email.clicked',
  'contact.unsubscribed',
  'contact.preferences_updated',
  'suppression.added',
  'suppression.removed',
  'identity.active',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/**
 * The event types that each enabled webhook wants, by its id; no types means all, including those added later. The
 * organization keeps them, so that a send reads them together with the organization. A type that this version doesn't
 * know is one that it doesn't report: while versions change, no send may fail on it.
 */
export const webhookSubscriptionsSchema = z.record(
  z.string(),
  z.object({ eventTypes: z.array(z.string()) }),
);
export type WebhookSubscriptions = z.infer<typeof webhookSubscriptionsSchema>;
