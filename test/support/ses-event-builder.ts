import { randomUUID } from 'node:crypto';
import {
  feedbackIdOf,
  feedbackIdTag,
  newOrganizationId,
  sendIdSchema,
} from '#shared/tokens/resource-id';
import { newSendId } from './send-builder.ts';

/** As SES makes it, with the time at which it took the email. */
export const sesMessageId = (at: number, rest = `${randomUUID()}-000000`): string =>
  `0100${at.toString(16).padStart(12, '0')}-${rest}`;

type Fields = Readonly<Record<string, unknown>>;

/** By which events lead to their send. */
export const tagsOf = (sendId: unknown): Readonly<Record<string, readonly string[]>> => ({
  [feedbackIdTag]: [feedbackIdOf(sendIdSchema.parse(sendId))],
});

/** The `mail` object of an SES event (SES developer guide, "Mail object"). */
export const buildSesMail = (overrides: Fields = {}): Fields => ({
  timestamp: '2026-01-02T03:04:05.678Z',
  source: 'hello@mail.example.com',
  sourceArn: 'arn:aws:ses:eu-west-1:123456789012:identity/mail.example.com',
  sendingAccountId: '123456789012',
  messageId: '0102019a-message',
  destination: ['ann@example.com'],
  headersTruncated: false,
  headers: [
    { name: 'From', value: 'hello@mail.example.com' },
    { name: 'To', value: 'ann@example.com' },
    { name: 'Subject', value: 'Your receipt' },
  ],
  commonHeaders: {
    from: ['hello@mail.example.com'],
    to: ['ann@example.com'],
    messageId: '0102019a-message',
    subject: 'Your receipt',
  },
  tags: {
    'ses:configuration-set': ['email-service'],
    'ses:from-domain': ['mail.example.com'],
    'feedback-id': [feedbackIdOf(newSendId(newOrganizationId()))],
  },
  ...overrides,
});

const details = {
  Send: { send: {} },
  Delivery: {
    delivery: {
      timestamp: '2026-01-02T03:04:07.000Z',
      processingTimeMillis: 1322,
      recipients: ['ann@example.com'],
      smtpResponse: '250 2.6.0 Message received',
      reportingMTA: 'mta.example.com',
    },
  },
  Bounce: {
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [
        {
          emailAddress: 'ann@example.com',
          action: 'failed',
          status: '5.1.1',
          diagnosticCode: 'smtp; 550 5.1.1 user unknown',
        },
      ],
      timestamp: '2026-01-02T03:04:08.000Z',
      feedbackId: '0102019a-bounce-000000',
      reportingMTA: 'dsn; mta.example.com',
    },
  },
  Complaint: {
    complaint: {
      complainedRecipients: [{ emailAddress: 'ann@example.com' }],
      timestamp: '2026-01-02T03:04:09.000Z',
      feedbackId: '0102019a-complaint-000000',
      userAgent: 'ExampleCorp Feedback Loop (V0.01)',
      complaintFeedbackType: 'abuse',
      arrivalDate: '2026-01-02T03:04:09.000Z',
    },
  },
  Reject: { reject: { reason: 'Bad content' } },
  Open: {
    open: {
      ipAddress: '192.0.2.1',
      timestamp: '2026-01-02T03:05:00.000Z',
      userAgent: 'Mozilla/5.0',
    },
  },
  Click: {
    click: {
      ipAddress: '192.0.2.1',
      timestamp: '2026-01-02T03:06:00.000Z',
      userAgent: 'Mozilla/5.0',
      link: 'https://example.com/',
      linkTags: null,
    },
  },
  'Rendering Failure': {
    failure: { errorMessage: 'Attribute is not present', templateName: 'receipt' },
  },
  DeliveryDelay: {
    deliveryDelay: {
      delayType: 'TransientCommunicationFailure',
      expirationTime: '2026-01-02T15:04:05.000Z',
      delayedRecipients: [{ emailAddress: 'ann@example.com', status: '4.4.1' }],
      timestamp: '2026-01-02T03:34:05.000Z',
    },
  },
  Subscription: {
    subscription: { contactList: 'news', timestamp: '2026-01-02T03:07:00.000Z', source: 'Email' },
  },
} as const;

/** What an SES event tells of a bounce, permanent but for the overrides. */
export const buildSesBounce = (overrides: Fields = {}): Fields => ({
  ...details.Bounce.bounce,
  ...overrides,
});

export const buildSesComplaint = (overrides: Fields = {}): Fields => ({
  ...details.Complaint.complaint,
  ...overrides,
});

export type SesEventType = keyof typeof details;

/** An event as SES publishes it (SES developer guide, "Examples of event data"). */
export const buildSesEvent = (eventType: SesEventType, overrides: Fields = {}): Fields => ({
  eventType,
  mail: buildSesMail(),
  ...details[eventType],
  ...overrides,
});
