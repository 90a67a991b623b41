import * as z from 'zod/mini';

export const webhookEventTypes = [
  'email.scheduled',
  'email.queued',
  'email.canceled',
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
  'audit.recorded',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/**
 * Only for endpoints that ask for it. `email.queued` repeats the answer to the request, and costs a delivery for each
 * queued email. `audit.recorded` names colleagues, so it takes the right to read the audit.
 */
const onlyByName: ReadonlySet<WebhookEventType> = new Set(['email.queued', 'audit.recorded']);

/** Resend has no counterpart for the others. */
export const resendEventNames = {
  'email.scheduled': 'email.scheduled',
  'email.suppressed': 'email.suppressed',
  'email.sent': 'email.sent',
  'email.failed': 'email.failed',
  'email.delayed': 'email.delivery_delayed',
  'email.delivered': 'email.delivered',
  'email.bounced': 'email.bounced',
  'email.complained': 'email.complained',
  'email.opened': 'email.opened',
  'email.clicked': 'email.clicked',
  'suppression.added': 'suppression.added',
  'suppression.removed': 'suppression.removed',
} as const satisfies Partial<Record<WebhookEventType, string>>;
export type ResendEventType = keyof typeof resendEventNames;

export const isResendEvent = (type: string): type is ResendEventType =>
  Object.hasOwn(resendEventNames, type);

/** Absent: ours, Standard Webhooks. */
export const webhookFormats = ['resend'] as const;

/**
 * By the id of each enabled webhook; no types means all but `onlyByName`, including those added later. Stored on the
 * organization, so that a send reads them with it. While versions change, no send may fail on them: unknown types
 * aren't reported, and an unknown form counts as ours.
 *
 * With filters it gets only the email events of sends that match each of them: one of its tags (`name:value`), one of
 * its templates (by id).
 */
export const webhookSubscriptionsSchema = z.record(
  z.string(),
  z.object({
    eventTypes: z.array(z.string()),
    tags: z.optional(z.array(z.string())),
    templates: z.optional(z.array(z.string())),
    format: z.optional(z.string()),
  }),
);
export type WebhookSubscriptions = z.infer<typeof webhookSubscriptionsSchema>;
export type Subscription = WebhookSubscriptions[string];

export type FilteredSend = {
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly templateId?: string | undefined;
};

/** @param send absent for events that aren't about an email. */
export function wantsEvent(
  { eventTypes, tags = [], templates = [] }: Subscription,
  type: WebhookEventType,
  send: FilteredSend | undefined,
): boolean {
  const isOfType = eventTypes.length > 0 ? eventTypes.includes(type) : !onlyByName.has(type);
  if (!isOfType) return false;
  if (tags.length === 0 && templates.length === 0) return true;
  if (send === undefined) return false;
  const own = new Set(Object.entries(send.tags ?? {}).map(([name, value]) => `${name}:${value}`));
  const hasTag = tags.length === 0 || tags.some((tag) => own.has(tag));
  const hasTemplate = templates.length === 0 || templates.some((id) => id === send.templateId);
  return hasTag && hasTemplate;
}
