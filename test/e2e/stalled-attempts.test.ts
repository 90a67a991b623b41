import { describe, expect, it } from 'vitest';
import { sesError } from '../support/aws-answers.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { type Action, answerInstead, runAfter, runBefore } from '../support/faults.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { retryUntilDone, type ServiceCaller } from '../support/service-caller.ts';
import {
  claim,
  claimedSendIds,
  commitWithOutbox,
  failure,
  failureWithOutbox,
  nextAttempt,
} from '../support/table-requests.ts';

// No test waits for the doubt window: the clock is moved forward.
const doubtWindowSeconds = 60;
const service = await useFaultyService({ doubtWindowSeconds });

const sendOnce = (caller: ServiceCaller) => caller.send({}, { 'idempotency-key': 'order-1' });

/**
 * The next such write is on its way for so long that a retry takes the send over; it arrives while the
 * retry is at SES.
 *
 * @returns a promise of the moment at which the write sets out.
 */
function delayUntilTakenOver(write: Omit<Fault, 'action'>): Promise<void> {
  const writeIsUnderWay = Promise.withResolvers<void>();
  const retryIsAtSes = Promise.withResolvers<void>();
  const writeIsAnswered = Promise.withResolvers<void>();
  const delayed: Action = async ({ forward, respond }) => {
    writeIsUnderWay.resolve();
    await retryIsAtSes.promise;
    const answer = await forward();
    writeIsAnswered.resolve();
    respond(answer);
  };
  // The SDK gives up on a silent call and repeats it: the repetition is delayed as well.
  service.dynamodb.inject({ times: 100, ...write, action: delayed });
  const meet = () => {
    retryIsAtSes.resolve();
    return writeIsAnswered.promise;
  };
  service.ses.inject({ operation: 'SendEmail', action: runBefore(meet) });
  return writeIsUnderWay.promise;
}

describe('an attempt that stalls until a retry has taken the send over', () => {
  it.each([
    { what: 'with a webhook endpoint', fault: failureWithOutbox, hasWebhook: true },
    { what: 'without one', fault: failure, hasWebhook: false },
  ])(
    "$what can't fail the send after the retry has sent the email",
    async ({ fault, hasWebhook }) => {
      const caller = await service.newCaller({ hasWebhook });
      const refuse = answerInstead(sesError('MessageRejected'));
      service.ses.inject({ operation: 'SendEmail', action: refuse });
      const underWay = delayUntilTakenOver(fault);

      const stalled = sendOnce(caller);
      await underWay;
      const retried = await retryUntilDone(() => sendOnce(caller), service.pass);
      const late = await stalled;
      const replayed = await sendOnce(caller);

      const [sendId] = claimedSendIds(service.dynamodb.requests);
      const [{ messageId } = {}, ...others] = await service.inbox();
      expect(late).toMatchObject({ status: 500, problem: { code: 'provider_outcome_unknown' } });
      expect(retried).toEqual({ sendId, status: 'sent', messageId, reused: false });
      expect(replayed.result).toEqual({ ...retried, reused: true });
      expect(others).toEqual([]);
      expect(await caller.timeline(retried.sendId)).toMatchObject({
        send: { status: 'sent' },
        messages: [{ providerMessageId: messageId }],
        events: [{ type: 'sent', providerMessageId: messageId }],
        webhooks: hasWebhook ? [{ type: 'email.sent' }] : [],
      });
    },
  );

  it('no longer passes the email to SES', async () => {
    const caller = await service.newCaller();
    const claimIsStored = Promise.withResolvers<void>();
    const retryIsDone = Promise.withResolvers<void>();
    const claimFirst = () => {
      claimIsStored.resolve();
      return retryIsDone.promise;
    };
    // The SDK gives up on a silent call and repeats it: the repetition is delayed as well.
    service.dynamodb.inject({ ...claim, times: 100, action: runAfter(claimFirst) });

    const stalled = sendOnce(caller);
    await claimIsStored.promise;
    const [sendId] = claimedSendIds(service.dynamodb.requests);
    await service.pass(doubtWindowSeconds * 1_000);
    service.dynamodb.clear();
    const retried = await retryUntilDone(() => sendOnce(caller), service.pass);
    retryIsDone.resolve();
    const late = await stalled;

    // The latter if the SDK has given up on the silent claim by then, and repeated it.
    expect(['provider_outcome_unknown', 'replay']).toContain(
      late.result?.reused ? 'replay' : late.problem?.code,
    );
    expect(retried).toMatchObject({ sendId, status: 'sent', reused: false });
    expect(service.ses.count('SendEmail')).toBe(1);
    expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
  });

  it("can't start a failed send's next attempt once another has", async () => {
    const caller = await service.newCaller();
    const refuse = answerInstead(sesError('MessageRejected'));
    service.ses.inject({ operation: 'SendEmail', action: refuse });
    await sendOnce(caller);
    const underWay = delayUntilTakenOver({ ...nextAttempt, times: 1 });

    const stalled = sendOnce(caller);
    await underWay;
    const retried = await retryUntilDone(() => sendOnce(caller), service.pass);
    const late = await stalled;

    expect(retried).toMatchObject({ status: 'sent', reused: false });
    expect(late).toMatchObject({ status: 409, problem: { code: 'idempotency_in_progress' } });
    expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
  });

  it("reports the retry's message, and its own is in the timeline", async () => {
    const caller = await service.newCaller();
    service.ses.inject({ operation: 'SendEmail', action: runBefore(() => {}) });
    const underWay = delayUntilTakenOver(commitWithOutbox);

    const stalled = sendOnce(caller);
    await underWay;
    const retried = await retryUntilDone(() => sendOnce(caller), service.pass);
    const late = await stalled;
    const replayed = await sendOnce(caller);

    // The only duplicate that can't be ruled out: SES took the email, and nobody could record it.
    const messageIds = (await service.inbox()).map(({ messageId }) => messageId);
    const { messages, events, webhooks } = await caller.timeline(retried.sendId);
    expect(late.result).toEqual(retried);
    expect(replayed.result).toEqual({ ...retried, reused: true });
    expect(messageIds).toHaveLength(2);
    expect(messageIds).toContain(retried.messageId);
    expect(messages.map(({ providerMessageId }) => providerMessageId).toSorted()).toEqual(
      messageIds.toSorted(),
    );
    expect(events.map(({ type }) => type)).toEqual(['sent', 'sent']);
    expect(webhooks.map(({ type }) => type)).toEqual(['email.sent', 'email.sent']);
  });
});
