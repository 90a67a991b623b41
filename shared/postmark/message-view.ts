import * as z from 'zod/mini';
import type { Event, EventRecipient } from '#shared/events/event';
import {
  addressesIn,
  firstMailedOf,
  fromOf,
  type Send,
  type SendStatus,
  stateAt,
  toOf,
} from '#shared/sending/send';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { sendIdSchema } from '#shared/tokens/resource-id';
import { bounceNumberOf, bounceWords } from './bounces.ts';
import { streamOf, tagOf } from './email-request.ts';

/** Postmark itself has only `Queued` and `Sent`. */
const statuses = {
  scheduled: 'Queued',
  queued: 'Queued',
  sending: 'Queued',
  sent: 'Sent',
  suppressed: 'Suppressed',
  failed: 'Failed',
  canceled: 'Canceled',
} as const satisfies Record<SendStatus, string>;

const recipientSchema = z.object({ Email: z.string(), Name: z.null() });

const messageEventSchema = z.object({
  Recipient: z.string(),
  Type: z.enum(['Delivered', 'Transient', 'Bounced', 'Opened', 'LinkClicked']),
  ReceivedAt: z.iso.datetime(),
  Details: z.record(z.string(), z.union([z.string(), z.number()])),
});
type MessageEvent = z.output<typeof messageEventSchema>;

export const messageSchema = z.object({
  MessageID: sendIdSchema,
  MessageStream: z.string(),
  Tag: z.nullable(z.string()),
  From: z.string(),
  To: z.array(recipientSchema),
  Cc: z.array(recipientSchema),
  Bcc: z.array(recipientSchema),
  Recipients: z.array(z.string()),
  Subject: z.string(),
  ReceivedAt: z.iso.datetime(),
  Status: z.enum(Object.values(statuses)),
  TrackOpens: z.boolean(),
  TrackLinks: z.enum(['None', 'HtmlOnly']),
  Metadata: z.record(z.string(), z.unknown()),
  Attachments: z.array(z.string()),
  Sandboxed: z.boolean(),
  TextBody: z.null(),
  HtmlBody: z.null(),
  Body: z.null(),
  MessageEvents: z.array(messageEventSchema),
});

export const toMessage = (
  send: Send,
  events: readonly Event[],
  now: number,
): z.output<typeof messageSchema> => ({
  MessageID: send.id,
  MessageStream: streamOf(send),
  Tag: tagOf(send),
  From: fromOf(send),
  To: toOf(send).map(toRecipient),
  Cc: send.cc.map(toRecipient),
  Bcc: send.bcc.map(toRecipient),
  Recipients: [...addressesIn(send)],
  Subject: send.subject,
  ReceivedAt: new Date(send.createdAt).toISOString(),
  Status: statuses[stateAt(send, now).status],
  TrackOpens: tracks(send, 'opens'),
  TrackLinks: tracks(send, 'clicks') ? 'HtmlOnly' : 'None',
  Metadata: send.metadata ?? {},
  Attachments: [],
  Sandboxed: send.test === true,
  TextBody: null,
  HtmlBody: null,
  Body: null,
  MessageEvents: events.flatMap((event) => toMessageEvents(event, send)),
});

const toRecipient = (Email: string) => ({ Email, Name: null });

const tracks = ({ tracking, untracked }: Send, what: 'opens' | 'clicks'): boolean =>
  tracking?.[what] ?? untracked?.[what] === undefined;

/** A delivery, open or click doesn't say whose it was, so it counts for the first `To`. */
function toMessageEvents(event: Event, send: Send): readonly MessageEvent[] {
  const ReceivedAt = new Date(event.ts).toISOString();
  const first = firstMailedOf(send);
  const ofFirst = { Recipient: first, ReceivedAt };
  const ofEach = (detailsOf: (recipient: EventRecipient) => MessageEvent['Details']) =>
    (event.recipients ?? [{ email: first }]).map((recipient) => ({
      Recipient: recipient.email,
      ReceivedAt,
      Details: detailsOf(recipient),
    }));
  const why = ({ diagnostic }: EventRecipient): string => diagnostic ?? event.reason ?? '';
  switch (event.type) {
    case 'sent':
      return [];
    case 'delivered':
      return [{ ...ofFirst, Type: 'Delivered', Details: {} }];
    case 'delayed':
      return ofEach((one) => ({ DeliveryMessage: why(one) })).map((one) => ({
        ...one,
        Type: 'Transient',
      }));
    case 'bounced':
    case 'complained':
      return ofEach((one) => ({ Summary: why(one), BounceID: bounceNumberOf(send.id) })).map(
        (one) => ({ ...one, Type: 'Bounced' }),
      );
    case 'opened':
      return [{ ...ofFirst, Type: 'Opened', Details: { Summary: openedBy(event) } }];
    case 'clicked':
      return [
        {
          ...ofFirst,
          Type: 'LinkClicked',
          Details: { Summary: openedBy(event), Link: event.url ?? '', ClickLocation: 'HTML' },
        },
      ];
  }
}

const openedBy = ({ machine }: Event): string => (machine === true ? 'By a machine' : '');

export const exampleMessage: z.input<typeof messageSchema> = {
  MessageID: exampleIds.send,
  MessageStream: 'outbound',
  Tag: 'welcome',
  From: 'Northwind <hello@northwind.example>',
  To: [{ Email: 'ann@example.com', Name: null }],
  Cc: [],
  Bcc: [],
  Recipients: ['ann@example.com'],
  Subject: 'Welcome',
  ReceivedAt: new Date(exampleTime).toISOString(),
  Status: 'Sent',
  TrackOpens: true,
  TrackLinks: 'HtmlOnly',
  Metadata: { order: '7' },
  Attachments: [],
  Sandboxed: false,
  TextBody: null,
  HtmlBody: null,
  Body: null,
  MessageEvents: [
    {
      Recipient: 'ann@example.com',
      Type: 'Delivered',
      ReceivedAt: new Date(exampleTime).toISOString(),
      Details: {},
    },
  ],
};

export const messageWords = {
  ...bounceWords,
  From: 'The sender.',
  To: 'The recipients in `To`.',
  Cc: 'Those in `Cc`.',
  Bcc: 'Those in `Bcc`.',
  Email: 'The address.',
  Name: '`null`: names aren’t kept.',
  'To.Name': '`null`: names aren’t kept.',
  Recipients: 'All of them.',
  ReceivedAt: 'When it was made, in ISO 8601.',
  Status:
    '`Queued`, `Sent`: SES took it; or `Suppressed`, `Failed`, `Canceled`: no email went out.',
  TrackOpens: 'Whether opens are tracked.',
  TrackLinks: 'Whether links are.',
  Metadata: 'The values that came with it.',
  Attachments: 'Empty: names of files aren’t kept.',
  Sandboxed: 'Whether it was made with a test key.',
  TextBody: '`null`: see `GET /api/v1/sends/{id}/content` for organizations that keep contents.',
  HtmlBody: '`null`, too.',
  Body: '`null`, too.',
  MessageEvents: 'What happened to it.',
  'MessageEvents.Recipient':
    'The recipient it’s about. For a delivery, open or click: the first `To`.',
  'MessageEvents.Type': 'Postmark’s word for it. A complaint is `Bounced`.',
  'MessageEvents.ReceivedAt': 'When, in ISO 8601.',
  'MessageEvents.Details': 'More, by name: `Summary`, `Link`, `BounceID`, `DeliveryMessage`.',
} as const;
