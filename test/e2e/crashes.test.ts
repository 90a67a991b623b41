import { describe, expect, it } from 'vitest';
import { type Action, runBefore } from '../support/faults.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { resultOf, retryUntilDone, type ServiceCaller } from '../support/service-caller.ts';
import { claimedSendIds, isClaim, isSettlement, isTakeover } from '../support/table-requests.ts';

const doubtWindowMs = 2_500;
const service = await useFaultyService({
  doubtWindowSeconds: doubtWindowMs / 1_000,
  providerCallTimeoutMs: doubtWindowMs,
});

/** The process dies; whoever it was calling never hears of it. */
const killBeforeForwarding: Action = () => service.kill();

/** The process dies; whoever it was calling has done what it asked for. */
const killAfterForwarding: Action = async ({ forward }) => {
  await forward();
  await service.kill();
};

const crashes = {
  'before the claim': () =>
    service.dynamodb.inject({
      operation: 'TransactWriteItems',
      matches: isClaim,
      action: killBeforeForwarding,
    }),
  'after the claim': () =>
    service.dynamodb.inject({
      operation: 'TransactWriteItems',
      matches: isClaim,
      action: killAfterForwarding,
    }),
  'before SES heard of it': () =>
    service.ses.inject({ operation: 'SendEmail', action: killBeforeForwarding }),
  'after SES accepted': () =>
    service.ses.inject({ operation: 'SendEmail', action: killAfterForwarding }),
  'before the commit': () =>
    service.dynamodb.inject({
      operation: 'TransactWriteItems',
      matches: isSettlement('sent'),
      action: killBeforeForwarding,
    }),
  'after the commit': () =>
    service.dynamodb.inject({
      operation: 'TransactWriteItems',
      matches: isSettlement('sent'),
      action: killAfterForwarding,
    }),
} as const;

const sendOnce = (caller: ServiceCaller) => caller.send({}, { 'idempotency-key': 'order-1' });

/** Lets nobody go on before so many have come: all of them then act on what they saw before. */
function meetingOf(participants: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let present = 0;
  return () => {
    present += 1;
    if (present === participants) resolve();
    return promise;
  };
}

/** A request during which the process dies, so that nobody answers, and a new process. */
async function crash(caller: ServiceCaller, moment: keyof typeof crashes): Promise<string[]> {
  crashes[moment]();
  await expect(sendOnce(caller)).rejects.toThrow();
  await service.restart();
  return claimedSendIds(service.dynamodb.requests);
}

const completeTimeline = (providerMessageId: string | undefined) => ({
  send: { status: 'sent', idempotencyKey: 'order-1' },
  messages: [{ providerMessageId }],
  events: [{ type: 'sent', providerMessageId }],
  webhooks: [{ type: 'email.sent', status: 'pending' }],
});

describe('a process killed before SES accepted the email', () => {
  it('before the claim: a retry sends it at once', async () => {
    const caller = await service.newCaller();
    await crash(caller, 'before the claim');

    const retried = await sendOnce(caller);

    const { messageId, sendId } = resultOf(retried);
    expect(retried.result).toMatchObject({ status: 'sent', reused: false });
    expect(await service.inbox()).toMatchObject([{ messageId }]);
    expect(await caller.timeline(sendId)).toMatchObject(completeTimeline(messageId));
  });

  it('before SES heard of it: a retry sends it, once the doubt window is over', async () => {
    const caller = await service.newCaller();
    const startedAt = Date.now();
    const [claimedId] = await crash(caller, 'before SES heard of it');
    let sentAt = 0;
    const noteTime = () => {
      sentAt = Date.now();
    };
    service.ses.inject({ operation: 'SendEmail', action: runBefore(noteTime) });

    const result = await retryUntilDone(() => sendOnce(caller));

    expect(result).toMatchObject({ sendId: claimedId, status: 'sent', reused: false });
    expect(sentAt - startedAt).toBeGreaterThanOrEqual(doubtWindowMs);
    expect(await service.inbox()).toMatchObject([{ messageId: result.messageId }]);
    expect(await caller.timeline(result.sendId)).toMatchObject(completeTimeline(result.messageId));
    expect(resultOf(await sendOnce(caller))).toEqual({ ...result, reused: true });
  });

  it('after the claim: of twenty concurrent retries one sends it, the others replay its answer', async () => {
    const caller = await service.newCaller();
    const [claimedId] = await crash(caller, 'after the claim');
    service.dynamodb.inject({
      operation: 'TransactWriteItems',
      matches: isTakeover,
      times: 10,
      action: runBefore(meetingOf(10)),
    });

    const results = await Promise.all(
      Array.from({ length: 20 }, () => retryUntilDone(() => sendOnce(caller))),
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
  it.each(['after SES accepted', 'before the commit'] as const)(
    '%s: SES’s Send event completes the send, and a retry is a replay',
    async (moment) => {
      const caller = await service.newCaller();
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
        webhooks: [{ type: 'email.sent' }, { type: 'email.delivered' }],
      });
    },
  );

  it('after the commit: a retry is a replay at once, before any event', async () => {
    const caller = await service.newCaller();
    const [sendId] = await crash(caller, 'after the commit');
    const [email] = await service.inbox();

    const retried = await sendOnce(caller);

    expect(retried.result).toMatchObject({ sendId, messageId: email?.messageId, reused: true });
    expect(await service.inbox()).toEqual([email]);
    expect(await caller.timeline(resultOf(retried).sendId)).toMatchObject(
      completeTimeline(email?.messageId),
    );
  });

  it('shows every message in the timeline when the Send event came after the doubt window', async () => {
    const caller = await service.newCaller();
    await crash(caller, 'after SES accepted');

    const result = await retryUntilDone(() => sendOnce(caller));
    await service.deliverProviderEvents();

    // The one duplicate that nothing can rule out: SES took the email and did not say so in time.
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
