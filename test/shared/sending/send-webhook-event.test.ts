import { describe, expect, it } from 'vitest';
import type { Event } from '#shared/events/event';
import { messageOf } from '#shared/send-history/message';
import {
  canceledEventOf,
  failedEventOf,
  queuedEventOf,
  scheduledEventOf,
  sentEventOf,
  suppressedEventOf,
  webhookEventOf,
} from '#shared/sending/send-webhook-event';
import { webhookBody } from '#shared/webhook-deliveries/outbox';
import { asDescribed } from '../../support/described-message.ts';
import { namesInQuotes } from '../../support/names-in-quotes.ts';
import { givenOptions, reportedOptions } from '../../support/option-examples.ts';
import { buildSend } from '../../support/send-builder.ts';

const send = buildSend({ toEmail: 'ann@example.com', subject: 'Your receipt', policyKey: 'bulk' });
const ts = 1_750_000_000_000;
const providerMessageId = 'message-1';
const ofSend = {
  sendId: send.id,
  to: 'ann@example.com',
  subject: 'Your receipt',
  policyKey: 'bulk',
};

const events: readonly { readonly event: Event; readonly data: object }[] = [
  { event: { type: 'delivered', ts, providerMessageId }, data: { messageId: providerMessageId } },
  {
    event: {
      type: 'bounced',
      ts,
      providerMessageId,
      reason: 'Permanent/General',
      recipients: [{ email: 'ann@example.com', diagnostic: 'smtp; 550 5.1.1 unknown' }],
    },
    data: {
      messageId: providerMessageId,
      reason: 'Permanent/General',
      recipients: [{ email: 'ann@example.com', diagnostic: 'smtp; 550 5.1.1 unknown' }],
    },
  },
  {
    event: {
      type: 'complained',
      ts,
      providerMessageId,
      reason: 'abuse',
      recipients: [{ email: 'ann@example.com' }],
    },
    data: {
      messageId: providerMessageId,
      reason: 'abuse',
      recipients: [{ email: 'ann@example.com' }],
    },
  },
  {
    event: {
      type: 'delayed',
      ts,
      providerMessageId,
      reason: 'MailboxFull',
      recipients: [{ email: 'ann@example.com', diagnostic: 'smtp; 452 4.2.2 mailbox full' }],
    },
    data: {
      messageId: providerMessageId,
      reason: 'MailboxFull',
      recipients: [{ email: 'ann@example.com', diagnostic: 'smtp; 452 4.2.2 mailbox full' }],
    },
  },
  { event: { type: 'opened', ts, machine: false }, data: { machine: false } },
  {
    event: { type: 'clicked', ts, machine: true, url: 'https://shop.example.com/order' },
    data: { machine: true, url: 'https://shop.example.com/order' },
  },
];

describe('the message of an event', () => {
  it.each(events)('of type $event.type has $data beside the send', ({ event, data }) => {
    expect(webhookEventOf(send, event)).toMatchObject({ type: `email.${event.type}`, at: ts });
    expect(webhookEventOf(send, event).data).toEqual({ ...ofSend, ...data });
  });

  it.each(events)('of type $event.type matches its description', ({ event }) => {
    const { type, at, data } = webhookEventOf(send, event);
    const message: unknown = JSON.parse(webhookBody(type, at, data));

    expect(asDescribed(message)).toEqual(message);
  });

  it.each(events)('of type $event.type lists the visible recipients, and no bcc', ({ event }) => {
    const several = {
      ...send,
      moreTo: ['ben@example.com'],
      cc: ['cy@example.com'],
      bcc: ['di@a.b'],
    };
    const { type, at, data } = webhookEventOf(several, event);
    const message: unknown = JSON.parse(webhookBody(type, at, data));

    expect(data).toMatchObject({
      to: 'ann@example.com',
      allTo: ['ann@example.com', 'ben@example.com'],
      cc: ['cy@example.com'],
    });
    expect(JSON.stringify(data)).not.toContain('di@a.b');
    expect(asDescribed(message)).toEqual(message);
  });

  it.each(events)('of type $event.type names the message that SES took', ({ event }) => {
    const sent = { ...send, providerMessageId };
    const { type, at, key, data } = webhookEventOf(sent, event);
    const message: unknown = JSON.parse(webhookBody(type, at, data));

    expect(data.messageId).toBe(providerMessageId);
    expect(key).toBe(webhookEventOf(send, event).key);
    expect(asDescribed(message)).toEqual(message);
  });

  it('names the first recipient who got the email', () => {
    const several = {
      ...send,
      moreTo: ['ben@example.com', 'cy@example.com'],
      suppressedRecipients: [
        { email: 'ann@example.com', reason: 'bounce' },
        { email: 'ben@example.com', reason: 'complaint' },
      ],
    };

    expect(sentEventOf(several, { providerMessageId, at: ts }).data).toMatchObject({
      to: 'cy@example.com',
      allTo: ['ann@example.com', 'ben@example.com', 'cy@example.com'],
    });
    expect(messageOf(several, { providerMessageId, at: ts }).toEmail).toBe('cy@example.com');
    expect(suppressedEventOf({ ...several, moreTo: [] }).data.to).toBe('ann@example.com');
  });

  it.each(namesInQuotes)('has the sender %j as a mailbox', (fromName, mailbox) => {
    const sentEvent = sentEventOf({ ...send, fromName }, { providerMessageId, at: ts });

    expect(sentEvent.send.from).toBe(mailbox);
  });

  it('of a test email matches its description', () => {
    const { type, at, data } = webhookEventOf({ ...send, test: true }, { type: 'delivered', ts });
    const message: unknown = JSON.parse(webhookBody(type, at, data));

    expect(message).toMatchObject({ data: { test: true } });
    expect(asDescribed(message)).toEqual(message);
  });

  it('of an accepted message names it', () => {
    const event = sentEventOf(send, { providerMessageId, at: ts });

    expect(event).toMatchObject({ type: 'email.sent', at: ts });
    expect(event.data).toEqual({ ...ofSend, messageId: providerMessageId });
  });

  const suppressedRecipients = [{ email: 'ann@example.com', reason: 'bounce' }];
  const scheduledFor = Date.parse('2026-12-24T09:00:00Z');
  it.each([
    {
      event: scheduledEventOf(send, scheduledFor, ts),
      type: 'email.scheduled',
      data: { sendAt: '2026-12-24T09:00:00.000Z' },
    },
    { event: queuedEventOf(send, scheduledFor, ts), type: 'email.queued', data: {} },
    { event: canceledEventOf(send, ts), type: 'email.canceled', data: {} },
    {
      event: suppressedEventOf({ ...send, claimedAt: ts, suppressedRecipients }),
      type: 'email.suppressed',
      data: { suppressedRecipients },
    },
    {
      event: failedEventOf(send, { at: ts, reason: 'MessageRejected' }),
      type: 'email.failed',
      data: { reason: 'MessageRejected' },
    },
    {
      event: failedEventOf(send, { at: ts, reason: 'Bad content', providerMessageId }),
      type: 'email.failed',
      data: { messageId: providerMessageId, reason: 'Bad content' },
    },
  ])(
    'for the outcome of a send, $type, has $data, and matches its description',
    ({ event, type, data }) => {
      const message: unknown = JSON.parse(webhookBody(event.type, event.at, event.data));

      expect(event).toMatchObject({ type, at: ts });
      expect(event.data).toEqual({ ...ofSend, ...data });
      expect(asDescribed(message)).toEqual(message);
    },
  );

  it('for a failure or suppression has a key for each attempt, and for a plan one for each time', () => {
    const second = { ...send, attempt: 2 };
    const keys = [send, second].flatMap((one) => [
      suppressedEventOf(one).key,
      failedEventOf(one, { at: ts, reason: 'MessageRejected' }).key,
      failedEventOf(one, { at: ts, reason: 'Bad content', providerMessageId }).key,
    ]);
    const times = [scheduledFor, scheduledFor + 1].flatMap((at) => [
      scheduledEventOf(send, at, ts).key,
      queuedEventOf(send, at, ts).key,
    ]);

    expect(new Set([...keys, ...times]).size).toBe(10);
  });

  it('for a plan has another key when the email returns to an earlier time', () => {
    const [first, back] = ['first', 'back'].map((claimId) =>
      scheduledEventOf({ ...send, claimId }, scheduledFor, ts),
    );

    expect(back?.key).not.toBe(first?.key);
  });

  it('has the same key only for the same event', () => {
    const changes: readonly Partial<Event>[] = [
      {},
      { type: 'complained' },
      { providerMessageId: 'message-2' },
      { url: 'https://shop.example.com/order' },
      { machine: true },
      { machine: false },
    ];
    const bounced: Event = { type: 'bounced', ts, providerMessageId };
    const keyOf = (change: Partial<Event>) => webhookEventOf(send, { ...bounced, ...change }).key;

    expect(new Set(changes.map(keyOf)).size).toBe(changes.length);
    expect(keyOf({ ts: ts + 1 })).toBe(keyOf({}));
  });

  it('repeats these options of its send, no others, and nothing empty', () => {
    const rich = { ...send, ...givenOptions };
    const given = [
      webhookEventOf(rich, { type: 'opened', ts, machine: false }),
      sentEventOf(rich, { providerMessageId, at: ts }),
      suppressedEventOf(rich),
      failedEventOf(rich, { at: ts, reason: 'MessageRejected' }),
      scheduledEventOf(rich, scheduledFor, ts),
      queuedEventOf(rich, scheduledFor, ts),
      canceledEventOf(rich, ts),
    ];
    const messages = given.map(({ type, at, data }): unknown =>
      JSON.parse(webhookBody(type, at, data)),
    );

    expect(given.map(({ data }) => data)).toMatchObject(given.map(() => reportedOptions));
    expect(canceledEventOf(rich, ts).data).toEqual({ ...ofSend, ...reportedOptions });
    expect(messages.map(asDescribed)).toEqual(messages);
    const empty = sentEventOf({ ...send, tags: {}, metadata: {} }, { providerMessageId, at: ts });
    expect(empty.data).toEqual({ ...ofSend, messageId: providerMessageId });
  });
});
