import * as z from 'zod/mini';
import {
  auditEntryViewSchema,
  auditEntryWords,
  exampleAuditEntry,
} from '#shared/access/audit-view';
import { suppressionReasons } from '#shared/contacts/contact';
import type { Event } from '#shared/events/event';
import { subscriptionSchema } from '#shared/preferences/preferences';
import { explainUnnamed } from '#shared/send-history/explain-send';
import { reportedOptions } from '#shared/sending/send-options';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { contactIdSchema, webhookIdSchema } from '#shared/tokens/resource-id';
import type { MessageType } from '#shared/webhook-deliveries/delivery';
import { emailFacts, emailFields } from '#shared/webhook-deliveries/webhook-event';

const { messageId, sendAt, suppressedRecipients, reason, recipients, verdict, url, machine } =
  emailFacts;
const send = { ...emailFields, ...reportedOptions };
const message = { ...send, messageId: z.optional(messageId) };
const reported = {
  ...message,
  reason: z.optional(reason),
  recipients: z.optional(recipients),
  verdict: z.optional(verdict),
};
/** As the service gives it to the same event. */
const explained = (event: Pick<Event, 'type' | 'reason' | 'recipients'>) => ({
  reason: event.reason,
  recipients: event.recipients,
  verdict: explainUnnamed({ ...event, ts: exampleTime }),
});
const contact = { contactId: contactIdSchema, email: z.optional(z.string()) };
const suppression = {
  ...contact,
  reason: z.enum(suppressionReasons),
  at: z.int(),
  possible: z.optional(z.literal(true)),
  messageId: z.optional(z.string()),
};

const exampleSend = {
  sendId: exampleIds.send,
  to: 'ann@example.com',
  subject: 'Welcome',
  policyKey: 'transactional',
  tags: { kind: 'welcome' },
  metadata: { orderId: 1_042 },
};
const exampleMessage = { ...exampleSend, messageId: '0100018c2f6b6e5c-1f8b6a0e-000000' };
const exampleContact = { contactId: exampleIds.contact, email: 'ann@example.com' };

const exampleSuppression = {
  ...exampleContact,
  reason: 'bounce',
  at: exampleTime,
  messageId: exampleMessage.messageId,
};

type Message = {
  readonly summary: string;
  readonly data: z.ZodMiniObject;
  readonly example: unknown;
  /** Of fields whose names mean something else elsewhere. */
  readonly words?: Readonly<Record<string, string>>;
};

const messages = {
  'email.scheduled': {
    summary: 'An email was scheduled',
    data: z.object({ ...send, sendAt }),
    example: { ...exampleSend, sendAt: '2026-12-24T09:00:00.000Z' },
  },
  'email.queued': {
    summary: 'An email was queued',
    data: z.object(send),
    example: exampleSend,
  },
  'email.canceled': {
    summary: 'A scheduled or queued email was canceled',
    data: z.object(send),
    example: exampleSend,
  },
  'email.suppressed': {
    summary: 'An email wasn’t sent: its address is suppressed',
    data: z.object({ ...send, suppressedRecipients }),
    example: {
      ...exampleSend,
      suppressedRecipients: [{ email: 'ann@example.com', reason: 'bounce' }],
    },
  },
  'email.sent': {
    summary: 'SES accepted an email',
    data: z.object(message),
    example: exampleMessage,
  },
  'email.failed': {
    summary: 'An email failed: SES rejected it, or the service gave up',
    data: z.object({ ...message, reason }),
    example: { ...exampleSend, reason: 'MessageRejected' },
  },
  'email.delayed': {
    summary: 'The recipient’s mail server isn’t accepting an email yet',
    data: z.object(reported),
    example: {
      ...exampleMessage,
      ...explained({
        type: 'delayed',
        reason: 'MailboxFull',
        recipients: [{ email: 'ann@example.com', diagnostic: 'smtp; 452 4.2.2 mailbox full' }],
      }),
    },
  },
  'email.delivered': {
    summary: 'The recipient’s mail server accepted an email',
    data: z.object(message),
    example: exampleMessage,
  },
  'email.bounced': {
    summary: 'An email bounced',
    data: z.object(reported),
    example: {
      ...exampleMessage,
      ...explained({
        type: 'bounced',
        reason: 'Permanent/General',
        recipients: [{ email: 'ann@example.com', diagnostic: 'smtp; 550 5.1.1 user unknown' }],
      }),
    },
  },
  'email.complained': {
    summary: 'A recipient reported an email as spam',
    data: z.object(reported),
    example: {
      ...exampleMessage,
      ...explained({
        type: 'complained',
        reason: 'abuse',
        recipients: [{ email: 'ann@example.com' }],
      }),
    },
  },
  'email.opened': {
    summary: 'An email was opened',
    data: z.object({ ...message, machine }),
    example: { ...exampleMessage, machine: false },
  },
  'email.clicked': {
    summary: 'A link in an email was clicked',
    data: z.object({ ...message, url, machine }),
    example: { ...exampleMessage, url: 'https://example.com/start', machine: false },
  },
  'contact.unsubscribed': {
    summary: 'A contact unsubscribed from all bulk email',
    data: z.object(contact),
    example: exampleContact,
  },
  'contact.preferences_updated': {
    summary: 'The preferences of a contact changed',
    data: z.object({
      ...contact,
      subscriptions: z.array(subscriptionSchema),
      resubscribed: z.boolean(),
    }),
    example: {
      ...exampleContact,
      subscriptions: [{ categoryKey: 'newsletter', subscribed: true }],
      resubscribed: false,
    },
  },
  'suppression.added': {
    summary: 'An address was suppressed',
    data: z.object(suppression),
    example: exampleSuppression,
  },
  'suppression.removed': {
    summary: 'A suppression was lifted: this reason no longer blocks the address',
    data: z.object(suppression),
    example: exampleSuppression,
  },
  'identity.active': {
    summary: 'The From identity of the organization became active',
    data: z.object({ domain: z.string(), fromEmail: z.string() }),
    example: { domain: 'news.example.com', fromEmail: 'hello@news.example.com' },
  },
  'audit.recorded': {
    summary: 'The audit has a new entry',
    data: auditEntryViewSchema,
    example: exampleAuditEntry,
    words: auditEntryWords,
  },
  'webhook.test': {
    summary: 'You requested a test message',
    data: z.object({ webhookId: webhookIdSchema }),
    example: { webhookId: exampleIds.webhook },
  },
} as const satisfies Record<MessageType, Message>;

export const webhookMessages = Object.entries(messages).map(
  ([type, { summary, data, example, words = {} }]: [string, Message]) => ({
    type,
    summary,
    words,
    schema: z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data }),
    example: { type, timestamp: new Date(exampleTime).toISOString(), data: example },
  }),
);
