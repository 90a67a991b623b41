import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SesEvent } from '../../infra/local/ses/events.ts';
import { type Action, runBefore } from '../support/faults.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { resultOf, retryUntilDone, type ServiceCaller } from '../support/service-caller.ts';
import {
  claim,
  claimedSendIds,
  commit,
  commitWithOutbox,
  nextAttempt,
} from '../support/table-requests.ts';

// No test waits for it: the clock is moved forward.
const doubtWindowMs = 60_000;
const service = await useFaultyService({ doubtWindowSeconds: doubtWindowMs / 1_000 });

/** The process dies; its call never reaches the target. */
const killBeforeForwarding: Action = () => service.kill();

/** The process dies; its call is carried out. */
const killAfterForwarding: Action = async ({ forward }) => {
  await forward();
  await service.kill();
};

const crashes = {
  'before the claim': () => service.dynamodb.inject({ ...claim, action: killBeforeForwarding }),
  'after the claim': () => service.dynamodb.inject({ ...claim, action: killAfterForwarding }),
  'before SES heard of it': () =>
    service.ses.inject({ operation: 'SendEmail', action: killBeforeForwarding }),
  'after SES accepted': () =>
    service.ses.inject({ operation: 'SendEmail', action: killAfterForwarding }),
  'before the commit': () =>
    service.dynamodb.inject({ ...commitWithOutbox, action: killBeforeForwarding }),
  'after the commit': () =>
    service.dynamodb.inject({ ...commitWithOutbox, action: killAfterForwarding }),
  'before the commit without outbox': () =>
    service.dynamodb.inject({ ...commit, action: killBeforeForwarding }),
  'after the commit without outbox': () =>
    service.dynamodb.inject({ ...commit, action: killAfterForwarding }),
} as const;

type Fields = Parameters<ServiceCaller['send']>[0];

const sendOnce = (caller: ServiceCaller, fields?: Fields) =>
  caller.send(fields, { 'idempotency-key': 'order-1' });

/** Holds callers until this many have arrived: all of them then act on what they read before. */
function meetingOf(participants: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let present = 0;
  return () => {
    present += 1;
    if (present === participants) resolve();
    return promise;
  };
}

/** A request during which the process dies without answering, and a new process. */
async function crash(
  caller: ServiceCaller,
  moment: keyof typeof crashes,
  fields?: Fields,
): Promise<string[]> {
  crashes[moment]();
  await expect(sendOnce(caller, fields)).rejects.toThrow();
  await service.restart();
  return claimedSendIds(service.dynamodb.requests);
}

/** Only this SES event arrives; the others are lost. */
async function deliverOnly(eventType: SesEvent['eventType']): Promise<void> {
  await service.settled();
  const events = service.providerEvents.take().filter((event) => event.eventType === eventType);
  expect(events).toHaveLength(1);
  for (const event of events) await service.providerEvents.deliver(event);
}

/** What a person's mail client or browser does when it shows the email. */
async function visit(path: string | undefined): Promise<void> {
  const headers = { 'user-agent': 'Mozilla/5.0 Firefox/130.0' };
  const { status } = await fetch(`${service.url()}${path}`, { redirect: 'manual', headers });
  expect([200, 302]).toContain(status);
}

const completeTimeline = (providerMessageId: string | undefined) => ({
  send: { status: 'sent', idempotencyKey: 'order-1' },
  messages: [{ providerMessageId }],
  events: [{ type: 'sent', providerMessageId }],
  webhooks: [{ type: 'email.sent', status: 'pending' }],
});

describe('a process killed before SES accepted the email', () => {
  it('before the claim lets a retry send at once', async () => {
    const caller = await service.newCaller();
    await crash(caller, 'before the claim');

    const retried = await sendOnce(caller);

    const { messageId, sendId } = resultOf(retried);
    expect(retried.result).toMatchObject({ status: 'sent', reused: false });
    expect(await service.inbox()).toMatchObject([{ messageId }]);
    expect(await caller.timeline(sendId)).toMatchObject(completeTimeline(messageId));
  });

  it('before its call reached SES lets a retry send once the doubt window is over', async () => {
    const caller = await service.newCaller();
    const startedAt = Date.now();
    const [claimedId] = await crash(caller, 'before SES heard of it');
    let sentAt = 0;
    const noteTime = () => {
      sentAt = Date.now();
    };
    service.ses.inject({ operation: 'SendEmail', action: runBefore(noteTime) });

    const result = await retryUntilDone(() => sendOnce(caller), service.pass);

    expect(result).toMatchObject({ sendId: claimedId, status: 'sent', reused: false });
    expect(sentAt - startedAt).toBeGreaterThanOrEqual(doubtWindowMs);
    expect(await service.inbox()).toMatchObject([{ messageId: result.messageId }]);
    expect(await caller.timeline(result.sendId)).toMatchObject(completeTimeline(result.messageId));
    expect(resultOf(await sendOnce(caller))).toEqual({ ...result, reused: true });
  });

  it('after the claim lets one of twenty concurrent retries send, and the others replay its answer', async () => {
    const caller = await service.newCaller();
    const [claimedId] = await crash(caller, 'after the claim');
    service.dynamodb.inject({ ...nextAttempt, times: 10, action: runBefore(meetingOf(10)) });

    let windowOver: Promise<void> | undefined;
    const wait = async () => {
      windowOver ??= service.pass(doubtWindowMs);
      await windowOver;
      await sleep(50);
    };

    const results = await Promise.all(
      Array.from({ length: 20 }, () => retryUntilDone(() => sendOnce(caller), wait)),
    );

    const [{ messageId } = {}, ...others] = await service.inbox();
    const sent = { sendId: claimedId, status: 'sent', messageId };
    expect(others).toEqual([]);
    expect(results).toEqual(results.map(({ reused }) => ({ ...sent, reused })));
    expect(results.filter(({ reused }) => !reused)).toHaveLength(1);
    expect(await caller.timeline(claimedId ?? '')).toMatchObject(completeTimeline(messageId));
  });
});

describe('a process killed after SES accepted the email', () => {
  it.each([
    { moment: 'after SES accepted', hasWebhook: true },
    { moment: 'before the commit', hasWebhook: true },
    { moment: 'before the commit without outbox', hasWebhook: false },
  ] as const)(
    '$moment leaves SES’s Send event to complete the send, and a retry replays it',
    async ({ moment, hasWebhook }) => {
      const caller = await service.newCaller({ hasWebhook });
      const [sendId] = await crash(caller, moment);
      const [email] = await service.inbox();

      await service.deliverProviderEvents();
      const retried = await sendOnce(caller);

      expect(retried.result).toEqual({
        sendId,
        status: 'sent',
        messageId: email?.messageId,
        reused: true,
      });
      expect(await service.inbox()).toEqual([email]);
      expect(await caller.timeline(resultOf(retried).sendId)).toMatchObject({
        send: { status: 'sent', idempotencyKey: 'order-1' },
        messages: [{ providerMessageId: email?.messageId }],
        events: [{ type: 'sent' }, { type: 'delivered' }],
        webhooks: hasWebhook ? [{ type: 'email.sent' }, { type: 'email.delivered' }] : [],
      });
    },
  );

  it.each([
    { moment: 'after the commit', hasWebhook: true },
    { moment: 'after the commit without outbox', hasWebhook: false },
  ] as const)(
    '$moment lets a retry replay at once, before any event',
    async ({ moment, hasWebhook }) => {
      const caller = await service.newCaller({ hasWebhook });
      const [sendId] = await crash(caller, moment);
      const [email] = await service.inbox();

      const retried = await sendOnce(caller);

      expect(retried.result).toMatchObject({ sendId, messageId: email?.messageId, reused: true });
      expect(await service.inbox()).toEqual([email]);
      expect(await caller.timeline(resultOf(retried).sendId)).toMatchObject({
        ...completeTimeline(email?.messageId),
        ...(!hasWebhook && { webhooks: [] }),
      });
    },
  );

  it.each([
    { eventType: 'Delivery', to: 'ann@example.com', type: 'delivered' },
    { eventType: 'Bounce', to: 'bounce@simulator.amazonses.com', type: 'bounced' },
    { eventType: 'Complaint', to: 'complaint@simulator.amazonses.com', type: 'complained' },
  ] as const)(
    'whose Send event is lost leaves its $eventType event to complete the send, and a retry replays it',
    async ({ eventType, to, type }) => {
      const caller = await service.newCaller();
      const [sendId] = await crash(caller, 'after SES accepted', { to });
      const [email] = await service.inbox();

      await deliverOnly(eventType);
      const retried = await sendOnce(caller, { to });

      const { messageId } = email ?? {};
      expect(retried.result).toEqual({ sendId, status: 'sent', messageId, reused: true });
      expect(service.ses.count('SendEmail')).toBe(1);
      expect(await caller.timeline(resultOf(retried).sendId)).toMatchObject({
        send: { status: 'sent' },
        messages: [{ providerMessageId: messageId }],
        events: [{ type: 'sent', providerMessageId: messageId }, { type }],
        webhooks: [{ type: 'email.sent' }, { type: `email.${type}` }],
      });
    },
  );

  it.each([
    { hit: 'pixel', path: /\/t\/o\/[\w.-]+/, type: 'opened' },
    { hit: 'link', path: /\/t\/c\/[\w.-]+/, type: 'clicked' },
  ])(
    "whose events are late isn't sent again by a retry after a hit on its $hit",
    async ({ path, type }) => {
      const caller = await service.newCaller();
      const fields = { htmlContent: '<p><a href="https://example.com/">Read</a></p>' };
      const [sendId] = await crash(caller, 'after SES accepted', fields);
      const [email] = await service.inbox();
      await service.settled();
      const lateEvents = service.providerEvents.take();

      await visit(path.exec(email?.body.html ?? '')?.[0]);
      const retried = await retryUntilDone(() => sendOnce(caller, fields), service.pass);
      const proven = await caller.timeline(retried.sendId);
      for (const event of lateEvents) await service.providerEvents.deliver(event);
      const replayed = await sendOnce(caller, fields);

      expect(retried).toEqual({ sendId, status: 'sent', reused: true });
      expect(proven).toMatchObject({ send: { status: 'sent' }, messages: [], events: [{ type }] });
      expect(replayed.result).toEqual({ ...retried, messageId: email?.messageId });
      expect(service.ses.count('SendEmail')).toBe(1);
      const { events } = await caller.timeline(retried.sendId);
      expect(events.map((event) => event.type).toSorted()).toEqual(
        ['sent', 'delivered', type].toSorted(),
      );
    },
  );

  it('has every message in its timeline when the Send event arrived after the doubt window', async () => {
    const caller = await service.newCaller();
    await crash(caller, 'after SES accepted');

    const result = await retryUntilDone(() => sendOnce(caller), service.pass);
    await service.deliverProviderEvents();

    // The only duplicate that can't be ruled out: SES took the email and didn't report it in time.
    const messageIds = (await service.inbox()).map(({ messageId }) => messageId);
    const { send, messages, events } = await caller.timeline(result.sendId);
    expect(messageIds).toContain(result.messageId);
    expect(send.status).toBe('sent');
    expect(messages.map(({ providerMessageId }) => providerMessageId).toSorted()).toEqual(
      messageIds.toSorted(),
    );
    expect(events.filter(({ type }) => type === 'sent')).toHaveLength(messageIds.length);
  });
});
