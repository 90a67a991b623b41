import { describe, expect, it } from 'vitest';
import { sesError } from '../support/aws-answers.ts';
import {
  type Action,
  answerInstead,
  hangBeforeForwarding,
  loseAnswer,
  replaceAnswer,
  resetBeforeForwarding,
  withholdAnswer,
} from '../support/faults.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { resultOf, retryUntilDone, type ServiceCaller } from '../support/service-caller.ts';
import { claimedSendIds } from '../support/table-requests.ts';

const doubtWindowSeconds = 2.5;
const service = await useFaultyService({ doubtWindowSeconds, providerCallTimeoutMs: 1_000 });

const sendOnce = (caller: ServiceCaller) => caller.send({}, { 'idempotency-key': 'order-1' });

/** The send that the first request claimed: an answer that is no 200 does not name it. */
function firstSendId(): string {
  const [id] = claimedSendIds(service.dynamodb.requests);
  if (id === undefined) throw new Error('expected a claimed send');
  return id;
}

describe('an email that SES refuses', () => {
  it.each([
    'MessageRejected',
    'MailFromDomainNotVerifiedException',
    'BadRequestException',
  ] as const)('ends as a failed send and a free key when the reason is %s', async (reason) => {
    const caller = await service.newCaller();
    service.ses.inject({ operation: 'SendEmail', action: answerInstead(sesError(reason)) });

    const refused = await sendOnce(caller);
    const failed = await caller.timeline(firstSendId());
    const retried = resultOf(await sendOnce(caller));

    expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_rejected' } });
    expect(refused.retryAfter).toBeUndefined();
    expect(refused.problem?.detail).toContain(reason);
    expect(failed).toMatchObject({ send: { status: 'failed', failureReason: reason } });
    expect([...failed.messages, ...failed.events]).toEqual([]);
    expect(retried).toMatchObject({ status: 'sent', reused: false });
    expect(retried.sendId).not.toBe(failed.send._id);
    expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
  });
});

describe('throttling by SES', () => {
  const throttle = answerInstead(sesError('TooManyRequestsException'));

  it('is waited out when it ends in time', async () => {
    const caller = await service.newCaller();
    service.ses.inject({ operation: 'SendEmail', times: 2, action: throttle });

    const result = resultOf(await sendOnce(caller));

    expect(service.ses.count('SendEmail')).toBe(3);
    expect(await service.inbox()).toMatchObject([{ messageId: result.messageId }]);
  });

  it('that lasts ends as a failed send, a free key and a time to come back', async () => {
    const caller = await service.newCaller();
    service.ses.inject({ operation: 'SendEmail', times: 100, action: throttle });

    const refused = await sendOnce(caller);
    const failed = await caller.timeline(firstSendId());
    service.ses.clear();
    const retried = resultOf(await sendOnce(caller));

    expect(refused).toMatchObject({ status: 429, problem: { code: 'provider_throttled' } });
    expect(refused.retryAfter).toBeGreaterThanOrEqual(1);
    expect(failed).toMatchObject({ send: { status: 'failed', failureReason: 'Throttled' } });
    expect([...failed.messages, ...failed.events]).toEqual([]);
    expect(retried).toMatchObject({ status: 'sent', reused: false });
    expect(retried.sendId).not.toBe(failed.send._id);
    expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
  });
});

const serverFault = sesError('InternalServiceErrorException');
const accepted: readonly (readonly [string, Action])[] = [
  ['times out', withholdAnswer()],
  ['breaks the connection', loseAnswer()],
  ['answers 500', replaceAnswer(serverFault)],
];
const neverAccepted: readonly (readonly [string, Action])[] = [
  ['times out', hangBeforeForwarding()],
  ['breaks the connection', resetBeforeForwarding()],
  ['answers 500', answerInstead(serverFault)],
];

describe('an email that SES took without saying so', () => {
  it.each(accepted)(
    'SES %s: its Send event completes it, and a retry is a replay',
    async (_, action) => {
      const caller = await service.newCaller();
      service.ses.inject({ operation: 'SendEmail', action });

      const inDoubt = await sendOnce(caller);
      const retriedInDoubt = await sendOnce(caller);
      const sendId = firstSendId();
      const timelineInDoubt = await caller.timeline(sendId);
      await service.deliverProviderEvents();
      const retried = await sendOnce(caller);

      expect(inDoubt).toMatchObject({ status: 500, problem: { code: 'provider_outcome_unknown' } });
      expect(inDoubt.retryAfter).toBeGreaterThanOrEqual(1);
      expect(inDoubt.retryAfter).toBeLessThanOrEqual(Math.ceil(doubtWindowSeconds));
      expect(retriedInDoubt).toMatchObject({
        status: 409,
        problem: { code: 'idempotency_in_progress' },
        retryAfter: expect.any(Number),
      });
      expect(timelineInDoubt).toMatchObject({
        send: { status: 'sending' },
        messages: [],
        events: [],
      });
      const [{ messageId } = {}] = await service.inbox();
      expect(retried.result).toEqual({ sendId, status: 'sent', messageId, reused: true });
      expect(service.ses.count('SendEmail')).toBe(1);
      expect(await caller.timeline(sendId)).toMatchObject({
        send: { status: 'sent' },
        messages: [{ providerMessageId: messageId }],
        events: [{ type: 'sent' }, { type: 'delivered' }],
      });
    },
  );
});

describe('an email that SES never took', () => {
  it.each(neverAccepted)('SES %s: after the doubt window a retry sends it', async (_, action) => {
    const caller = await service.newCaller();
    service.ses.inject({ operation: 'SendEmail', action });

    const inDoubt = await sendOnce(caller);
    const retriedInDoubt = await sendOnce(caller);
    const sendId = firstSendId();
    const retried = await retryUntilDone(() => sendOnce(caller));

    expect(inDoubt).toMatchObject({ status: 500, problem: { code: 'provider_outcome_unknown' } });
    expect(inDoubt.retryAfter).toBeLessThanOrEqual(Math.ceil(doubtWindowSeconds));
    expect(retriedInDoubt).toMatchObject({ status: 409, retryAfter: expect.any(Number) });
    const [{ messageId } = {}] = await service.inbox();
    expect(retried).toEqual({ sendId, status: 'sent', messageId, reused: false });
    expect(service.ses.count('SendEmail')).toBe(2);
    expect(await service.inbox()).toHaveLength(1);
    expect(await caller.timeline(sendId)).toMatchObject({
      send: { status: 'sent' },
      messages: [{ providerMessageId: messageId }],
      events: [{ type: 'sent', providerMessageId: messageId }],
    });
  });
});

describe('a send without an idempotency key whose outcome is unknown', () => {
  it('names no time to come back, as a retry may send twice, and is completed by its event', async () => {
    const caller = await service.newCaller();
    service.ses.inject({ operation: 'SendEmail', action: loseAnswer() });

    const inDoubt = await caller.send();
    await service.deliverProviderEvents();

    expect(inDoubt).toMatchObject({ status: 500, problem: { code: 'provider_outcome_unknown' } });
    expect(inDoubt.retryAfter).toBeUndefined();
    expect(await caller.timeline(firstSendId())).toMatchObject({
      send: { status: 'sent' },
      events: [{ type: 'sent' }, { type: 'delivered' }],
    });
  });
});
