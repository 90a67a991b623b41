import * as z from 'zod/mini';
import type { SuppressionReason } from '#shared/contacts/contact';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { cutText } from '#shared/errors/cut-text';
import {
  bounceReasonOf,
  isComplaintOfProvider,
  isPossibleComplaint,
  isSuppressingBounce,
  type ProviderReason,
} from '#shared/suppressions/bounce-kinds';
import { longestDiagnostic } from '#shared/suppressions/suppression';
import { type FeedbackId, feedbackIdSchema, feedbackIdTag } from '#shared/tokens/resource-id';
import type { EventRecipient, EventType } from './event.ts';

// SES's events, first in SES's words, then in ours.

const timestamp = z.pipe(
  z.iso.datetime({ offset: true }),
  z.transform((text) => Date.parse(text)),
);

const mailSchema = z.object({
  timestamp,
  messageId: z.string().check(z.minLength(1)),
  sourceArn: z.optional(z.string()),
  destination: z._default(z.array(z.string()), []),
  tags: z._default(z.record(z.string(), z.array(z.string())), {}),
  headers: z._default(z.array(z.object({ name: z.string(), value: z.string() })), []),
});

const recipientsSchema = z.array(
  z.object({ emailAddress: z.string(), diagnosticCode: z.nullish(z.string()) }),
);

type SesMail = z.output<typeof mailSchema>;
type SesRecipients = z.output<typeof recipientsSchema>;

/** SES developer guide, "Contents of event data that Amazon SES publishes to Amazon SNS". */
const sesEventSchema = z.discriminatedUnion('eventType', [
  z.object({ eventType: z.literal('Send'), mail: mailSchema }),
  z.object({
    eventType: z.literal('Delivery'),
    mail: mailSchema,
    delivery: z.object({ timestamp }),
  }),
  z.object({
    eventType: z.literal('DeliveryDelay'),
    mail: mailSchema,
    deliveryDelay: z.object({
      timestamp,
      delayType: z.string(),
      delayedRecipients: recipientsSchema,
    }),
  }),
  z.object({
    eventType: z.literal('Bounce'),
    mail: mailSchema,
    bounce: z.object({
      timestamp,
      bounceType: z.string(),
      bounceSubType: z.string(),
      bouncedRecipients: recipientsSchema,
    }),
  }),
  z.object({
    eventType: z.literal('Complaint'),
    mail: mailSchema,
    complaint: z.object({
      timestamp,
      complaintFeedbackType: z.nullish(z.string()),
      complaintSubType: z.nullish(z.string()),
      complainedRecipients: recipientsSchema,
    }),
  }),
  z.object({
    eventType: z.literal('Reject'),
    mail: mailSchema,
    reject: z.object({ reason: z.string() }),
  }),
  z.object({ eventType: z.literal('Open'), mail: mailSchema, open: z.object({ timestamp }) }),
  z.object({ eventType: z.literal('Click'), mail: mailSchema, click: z.object({ timestamp }) }),
]);
type SesEvent = z.output<typeof sesEventSchema>;

const anyEventSchema = z.object({ eventType: z.string() });

const { tags, headers, messageId } = mailSchema.shape;
/** Parses only what names the event's send, so nothing else can make it fail. */
const namingEventSchema = z.object({
  eventType: z.catch(z.optional(z.string()), undefined),
  mail: z.object({
    messageId: z.catch(z.optional(messageId), undefined),
    tags: z.catch(tags, {}),
    headers: z.catch(headers, []),
  }),
});

/** Events of other types, including ones SES may add, are counted but not recorded. */
const recordedTypes = new Set<string>(
  sesEventSchema.def.options.flatMap(({ shape }) => shape.eventType.def.values),
);

/**
 * One SES event in our terms.
 *
 * - `accepted`: SES took the message (Send).
 * - `rejected`: SES took the message and then rejected its content (Reject).
 * - `happened`: something for the timeline.
 * - `ignored`: not recorded; `eventType` says what it was.
 *
 * | SES             | fact                  | webhook message    |
 * |-----------------|-----------------------|--------------------|
 * | `Send`          | `accepted`            | `email.sent`       |
 * | `Reject`        | `rejected`            | `email.failed`     |
 * | `Delivery`      | `happened: delivered` | `email.delivered`  |
 * | `DeliveryDelay` | `happened: delayed`   | `email.delayed`    |
 * | `Bounce`        | `happened: bounced`   | `email.bounced`    |
 * | `Complaint`     | see `complained`      | as its fact says   |
 * | `Open`          | `happened: opened`    | `email.opened`     |
 * | `Click`         | `happened: clicked`   | `email.clicked`    |
 *
 * Each of them proves that SES took the message, so `email.sent` is reported with it if it hasn't been. The deployment
 * doesn't ask for `Open` and `Click`: `send-history/record-engagement.ts` reports what our own links and pixel see.
 *
 * Which bounces suppress an address: `suppressions/bounce-kinds.ts`. What each fact does to the send, to recipients and
 * to webhooks: `send-history/record-event.ts`.
 */
export type ProviderFact =
  | ({ readonly kind: 'accepted' } & Occurrence)
  | ({ readonly kind: 'rejected'; readonly reason: string } & Occurrence)
  | ({
      readonly kind: 'happened';
      readonly type: Exclude<EventType, 'sent'>;
      readonly reason: string | undefined;
      /** Whose bounce, complaint or delay it is; empty for other events. */
      readonly recipients: readonly EventRecipient[];
      /** Absent if it suppresses no one. */
      readonly suppression: ReportedSuppression | undefined;
    } & Occurrence)
  | { readonly kind: 'ignored'; readonly eventType: string };

/** Who must get no more email because of an event, and why. */
type ReportedSuppression = {
  readonly reason: Extract<SuppressionReason, 'bounce' | 'complaint'>;
  readonly addresses: readonly string[];
  /** Set for a complaint about several recipients, where SES doesn't say whose it is. */
  readonly isPossible: boolean;
};

type Occurrence = {
  readonly at: number;
  /** When SES took the message: every event about it proves that it did. */
  readonly acceptedAt: number;
  readonly providerMessageId: string;
  readonly mailedTo: readonly string[];
  /** From the message's tag, or else from its `Feedback-ID` header. */
  readonly feedbackId: FeedbackId | undefined;
  /** The domain of the identity that SES sent from. */
  readonly domain?: string | undefined;
};

/** @throws ZodError if an event of a recorded type doesn't have the documented shape: somebody must look at it. */
export function readSesEvent(json: unknown): ProviderFact {
  const { eventType } = anyEventSchema.parse(json);
  if (!recordedTypes.has(eventType)) return { kind: 'ignored', eventType };
  return toFact(sesEventSchema.parse(json));
}

function toFact(event: SesEvent): ProviderFact {
  const occurrence = {
    acceptedAt: event.mail.timestamp,
    providerMessageId: event.mail.messageId,
    mailedTo: event.mail.destination.flatMap(identityIn),
    feedbackId: feedbackIdIn(event.mail),
    domain: /:identity\/(?:.*@)?(.+)$/.exec(event.mail.sourceArn ?? '')?.[1],
  };
  switch (event.eventType) {
    case 'Send':
      return { kind: 'accepted', ...occurrence, at: event.mail.timestamp };
    case 'Reject':
      return {
        kind: 'rejected',
        ...occurrence,
        at: event.mail.timestamp,
        reason: event.reject.reason,
      };
    case 'Delivery':
      return happened('delivered', { ...occurrence, at: event.delivery.timestamp });
    case 'DeliveryDelay':
      return delayed(event.deliveryDelay, {
        ...occurrence,
        at: event.deliveryDelay.timestamp,
      });
    case 'Bounce':
      return bounced(event.bounce, { ...occurrence, at: event.bounce.timestamp });
    case 'Complaint':
      return complained(event.complaint, { ...occurrence, at: event.complaint.timestamp });
    case 'Open':
      return happened('opened', { ...occurrence, at: event.open.timestamp });
    case 'Click':
      return happened('clicked', { ...occurrence, at: event.click.timestamp });
  }
}

export type Happened = Extract<ProviderFact, { kind: 'happened' }>;

const happened = (type: Happened['type'], occurrence: Occurrence): Happened => ({
  kind: 'happened',
  type,
  ...occurrence,
  reason: undefined,
  recipients: [],
  suppression: undefined,
});

/** SES keeps trying, and a delivery or bounce follows. */
const delayed = (
  {
    delayType,
    delayedRecipients,
  }: Extract<SesEvent, { eventType: 'DeliveryDelay' }>['deliveryDelay'],
  occurrence: Occurrence,
): ProviderFact => ({
  ...happened('delayed', occurrence),
  reason: delayType,
  recipients: recipientsIn(delayedRecipients),
});

function bounced(
  bounce: Extract<SesEvent, { eventType: 'Bounce' }>['bounce'],
  occurrence: Occurrence,
): ProviderFact {
  return {
    ...happened('bounced', occurrence),
    reason: bounceReasonOf(bounce),
    recipients: recipientsIn(bounce.bouncedRecipients),
    suppression: isSuppressingBounce(bounce)
      ? {
          reason: 'bounce',
          addresses: mailedAmong(bounce.bouncedRecipients, occurrence),
          isPossible: false,
        }
      : undefined,
  };
}

/** `not-spam`: a recipient moved the message out of the spam folder, the opposite of a complaint. */
function complained(
  complaint: Extract<SesEvent, { eventType: 'Complaint' }>['complaint'],
  occurrence: Occurrence,
): ProviderFact {
  const feedbackType = complaint.complaintFeedbackType ?? undefined;
  if (feedbackType === 'not-spam') return { kind: 'ignored', eventType: 'Complaint/not-spam' };
  const recipients = recipientsIn(complaint.complainedRecipients);
  if (isComplaintOfProvider(complaint.complaintSubType)) {
    // SES sent nothing, so this counts as a bounce.
    const reason: ProviderReason = 'provider_suppressed';
    return { ...happened('bounced', occurrence), reason, recipients };
  }
  return {
    ...happened('complained', occurrence),
    reason: feedbackType,
    recipients,
    suppression: {
      reason: 'complaint',
      addresses: mailedAmong(complaint.complainedRecipients, occurrence),
      isPossible: isPossibleComplaint(recipients.map(({ email }) => email)),
    },
  };
}

/**
 * Only the email's own recipients. A report may name others: it has the `Final-Recipient` of a delivery status
 * notification (RFC 3464 §2.3.2), which is a member's address behind a list, and anybody's if a stranger wrote the
 * notification.
 */
const mailedAmong = (list: SesRecipients, { mailedTo }: Occurrence): string[] => {
  const named = new Set(list.flatMap(({ emailAddress }) => identityIn(emailAddress)));
  return mailedTo.filter((identity) => named.has(identity));
};

function identityIn(text: string): string[] {
  const parsed = parseEmailAddress(bareAddress(text));
  return parsed.ok ? [parsed.value.identity] : [];
}

const recipientsIn = (list: SesRecipients): EventRecipient[] =>
  list.map(({ emailAddress, diagnosticCode }) => ({
    email: bareAddress(emailAddress),
    ...(diagnosticCode && { diagnostic: cutText(diagnosticCode, longestDiagnostic) }),
  }));

/** Addresses in events may have a display name: `"Ann" <ann@example.com>`. */
const bareAddress = (text: string): string => /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text;

type EventSubject = {
  readonly feedbackId: FeedbackId;
  readonly providerMessageId: string | undefined;
};

/**
 * The send that an event proves SES has taken. Parses no more than that, so it understands events that `readSesEvent`
 * can't read. A Reject proves it too: SES took the message before rejecting it. An event of an unrecorded type doesn't.
 */
export function subjectOf(json: unknown): EventSubject | undefined {
  const event = namingEventSchema.safeParse(json).data;
  if (event === undefined) return undefined;
  const { eventType, mail } = event;
  const feedbackId = feedbackIdIn(mail);
  const provesNothing = eventType !== undefined && !recordedTypes.has(eventType);
  if (feedbackId === undefined || provesNothing) return undefined;
  return { feedbackId, providerMessageId: mail.messageId };
}

/** `bounce.feedbackId` and `complaint.feedbackId` are SES's own, not ours. */
function feedbackIdIn(mail: Pick<SesMail, 'tags' | 'headers'>): FeedbackId | undefined {
  const header = mail.headers.find(({ name }) => name.toLowerCase() === 'feedback-id');
  const candidates = [...(mail.tags[feedbackIdTag] ?? []), ...(header?.value.split(':') ?? [])];
  return candidates.map((text) => feedbackIdSchema.safeParse(text.trim()).data).find(Boolean);
}
