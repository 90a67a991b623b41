import { describe, expect, it } from 'vitest';
import { suppressAddress } from '#shared/suppressions/suppression-store';
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

// No test waits for it: the clock is moved forward.
const doubtWindowSeconds = 60;
const service = await useFaultyService({ doubtWindowSeconds, providerCallTimeoutMs: 5_000 });

const sendOnce = (caller: ServiceCaller) => caller.send({}, { 'idempotency-key': 'order-1' });

/** The send that the first request claimed: an answer other than 200 doesn't name it. */
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
  ] as const)(
    'ends as a failed send, and a retry sends it, when the reason is %s',
    async (reason) => {
      const caller = await service.newCaller();
      service.ses.inject({ operation: 'SendEmail', action: answerInstead(sesError(reason)) });

      const refused = await sendOnce(caller);
      const failed = await caller.timeline(firstSendId());
      const retried = resultOf(await sendOnce(caller));
      const sent = await caller.timeline(retried.sendId);

      expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_rejected' } });
      expect(refused.retryAfter).toBeUndefined();
      expect(refused.problem?.detail).toContain(reason);
      expect(failed).toMatchObject({ send: { status: 'failed', failureReason: reason } });
      expect([...failed.messages, ...failed.events]).toEqual([]);
      expect(retried).toMatchObject({ sendId: failed.send._id, status: 'sent', reused: false });
      expect(sent).toMatchObject({
        send: { status: 'sent', attempts: [{ attempt: 1, reason }] },
        messages: [{ providerMessageId: retried.messageId }],
        events: [{ type: 'sent', providerMessageId: retried.messageId }],
      });
      expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
    },
  );

  it('may be changed when it is retried', async () => {
    const caller = await service.newCaller();
    service.ses.inject({
      operation: 'SendEmail',
      action: answerInstead(sesError('MessageRejected')),
    });
    const key = { 'idempotency-key': 'order-1' };
    await caller.send({ subject: 'A subject that SES refuses' }, key);

    const corrected = resultOf(await caller.send({ subject: 'Corrected' }, key));
    const [{ subject } = {}, ...others] = await service.inbox();
    const reused = await caller.send({ subject: 'A subject that SES refuses' }, key);

    expect(corrected).toMatchObject({ sendId: firstSendId(), status: 'sent', reused: false });
    expect([subject, others]).toEqual(['Corrected', []]);
    expect(await caller.timeline(corrected.sendId)).toMatchObject({
      send: { subject: 'Corrected', attempts: [{ attempt: 1, reason: 'MessageRejected' }] },
    });
    expect(reused).toMatchObject({ status: 422, problem: { code: 'idempotency_key_reused' } });
  });

  it('has each of its attempts in the timeline', async () => {
    const caller = await service.newCaller();
    for (const reason of ['MessageRejected', 'BadRequestException'] as const) {
      service.ses.inject({ operation: 'SendEmail', action: answerInstead(sesError(reason)) });
    }

    await sendOnce(caller);
    await sendOnce(caller);

    const { send } = await caller.timeline(firstSendId());
    expect(send).toMatchObject({
      status: 'failed',
      failureReason: 'BadRequestException',
      attempts: [
        { attempt: 1, reason: 'MessageRejected' },
        { attempt: 2, reason: 'BadRequestException' },
      ],
    });
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

  it('that lasts ends as a failed send with a time to retry, and a retry sends it', async () => {
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
    expect(retried).toMatchObject({ sendId: failed.send._id, status: 'sent', reused: false });
    expect((await caller.timeline(retried.sendId)).send).toMatchObject({
      status: 'sent',
      attempts: [{ attempt: 1, reason: 'Throttled' }],
    });
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

describe('an email that SES took without answering', () => {
  it.each(accepted)(
    'when SES %s is completed by its Send event, and a retry replays it',
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
  it.each(neverAccepted)(
    'when SES %s is sent by a retry after the doubt window',
    async (_, action) => {
      const caller = await service.newCaller();
      service.ses.inject({ operation: 'SendEmail', action });

      const inDoubt = await sendOnce(caller);
      const retriedInDoubt = await sendOnce(caller);
      const sendId = firstSendId();
      const retried = await retryUntilDone(() => sendOnce(caller), service.pass);

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
    },
  );
});

describe('a send that stays in doubt', () => {
  const windowOver = () => service.pass(doubtWindowSeconds * 1_000);

  it('is shown as not accepted once its lease is over, without any action', async () => {
    const caller = await service.newCaller();
    service.ses.inject({ operation: 'SendEmail', action: resetBeforeForwarding() });
    await sendOnce(caller);
    const sendId = firstSendId();
    const inDoubt = await caller.timeline(sendId);

    await windowOver();
    const given = await caller.timeline(sendId);
    const retried = resultOf(await sendOnce(caller));

    expect(inDoubt.send.status).toBe('sending');
    expect(given.send).toMatchObject({ status: 'failed', failureReason: 'not_accepted' });
    expect([...given.messages, ...given.events]).toEqual([]);
    expect(retried).toMatchObject({ sendId, status: 'sent', reused: false });
    expect(await service.inbox()).toHaveLength(1);
  });

  it('becomes sent even when its Send event arrives that late', async () => {
    const caller = await service.newCaller();
    service.ses.inject({ operation: 'SendEmail', action: loseAnswer() });
    await sendOnce(caller);
    const sendId = firstSendId();

    await windowOver();
    const given = await caller.timeline(sendId);
    await service.deliverProviderEvents();
    const retried = await sendOnce(caller);

    const [{ messageId } = {}] = await service.inbox();
    expect(given.send).toMatchObject({ status: 'failed', failureReason: 'not_accepted' });
    expect(retried.result).toEqual({ sendId, status: 'sent', messageId, reused: true });
    expect(service.ses.count('SendEmail')).toBe(1);
    const { send } = await caller.timeline(sendId);
    expect(send.status).toBe('sent');
    expect(send.failureReason).toBeUndefined();
  });
});

describe('a retry that took over a send in doubt', () => {
  const refusals = {
    'SES refuses it': answerInstead(sesError('MessageRejected')),
    'SES throttles it': answerInstead(sesError('TooManyRequestsException')),
  } as const;
  const reasons = { 'SES refuses it': 'MessageRejected', 'SES throttles it': 'Throttled' } as const;

  /** The first request ends in doubt, and SES doesn't take the retry that takes over. */
  async function takeOver(caller: ServiceCaller, first: Action, refusal: keyof typeof refusals) {
    service.ses.inject({ operation: 'SendEmail', action: first });
    await sendOnce(caller);
    await service.pass(doubtWindowSeconds * 1_000);
    service.ses.inject({ operation: 'SendEmail', times: 100, action: refusals[refusal] });
    const refused = await sendOnce(caller);
    service.ses.clear();
    return { refused, sendId: firstSendId() };
  }

  it.each(['SES refuses it', 'SES throttles it'] as const)(
    '(%s) waits for the first attempt’s Send event, which completes the send',
    async (refusal) => {
      const caller = await service.newCaller();

      const { refused, sendId } = await takeOver(caller, loseAnswer(), refusal);
      const meanwhile = await sendOnce(caller);
      const held = await caller.timeline(sendId);
      await service.deliverProviderEvents();
      const retried = await sendOnce(caller);

      expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_outcome_unknown' } });
      expect(refused.retryAfter).toBeGreaterThanOrEqual(1);
      expect(refused.retryAfter).toBeLessThanOrEqual(Math.ceil(doubtWindowSeconds));
      expect(meanwhile).toMatchObject({
        status: 409,
        problem: { code: 'idempotency_in_progress' },
      });
      const attempts = [
        { attempt: 1, reason: 'Unanswered' },
        { attempt: 2, reason: reasons[refusal] },
      ];
      expect(held).toMatchObject({
        send: { status: 'sending', attempts },
        messages: [],
        events: [],
      });
      const [{ messageId } = {}, ...others] = await service.inbox();
      expect(retried.result).toEqual({ sendId, status: 'sent', messageId, reused: true });
      expect(others).toEqual([]);
      expect(service.ses.count('SendEmail')).toBe(0);
      expect(await caller.timeline(sendId)).toMatchObject({
        send: { status: 'sent', attempts },
        messages: [{ providerMessageId: messageId }],
        events: [{ type: 'sent' }, { type: 'delivered' }],
      });
    },
  );

  it('(SES refuses it) is followed by a third attempt when no event arrives in time', async () => {
    const caller = await service.newCaller();

    const { refused, sendId } = await takeOver(caller, resetBeforeForwarding(), 'SES refuses it');
    const retried = await retryUntilDone(() => sendOnce(caller), service.pass);

    expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_outcome_unknown' } });
    expect(retried).toMatchObject({ sendId, status: 'sent', reused: false });
    expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
    expect((await caller.timeline(sendId)).send).toMatchObject({
      status: 'sent',
      attempts: [
        { attempt: 1, reason: 'Unanswered' },
        { attempt: 2, reason: 'MessageRejected' },
      ],
    });
  });
});

describe('a send in doubt whose address was suppressed in between', () => {
  /** The first request ends in doubt; the retry follows after its lease, and after the suppression. */
  async function retryWhenSuppressed(caller: ServiceCaller, first: Action) {
    service.ses.inject({ operation: 'SendEmail', action: first });
    await sendOnce(caller);
    const now = Date.now();
    await suppressAddress(
      service.table,
      caller.organizationId,
      { identity: 'ann@example.com', reason: 'bounce' },
      now,
    );
    await service.pass(doubtWindowSeconds * 1_000);
    return { refused: await sendOnce(caller), sendId: firstSendId() };
  }

  it('becomes sent when its Send event arrives: its own bounce may be what suppressed the address', async () => {
    const caller = await service.newCaller();

    const { refused, sendId } = await retryWhenSuppressed(caller, loseAnswer());
    const held = await caller.timeline(sendId);
    await service.deliverProviderEvents();
    const retried = await sendOnce(caller);

    expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_outcome_unknown' } });
    expect(refused.retryAfter).toBeGreaterThanOrEqual(1);
    expect(held.send.status).toBe('sending');
    const [{ messageId } = {}] = await service.inbox();
    expect(retried.result).toMatchObject({ sendId, status: 'sent', messageId, reused: true });
    expect(service.ses.count('SendEmail')).toBe(1);
  });

  it('becomes suppressed when no event arrives in time', async () => {
    const caller = await service.newCaller();

    const { refused, sendId } = await retryWhenSuppressed(caller, resetBeforeForwarding());
    const retried = await retryUntilDone(() => sendOnce(caller), service.pass);
    const replayed = resultOf(await sendOnce(caller));

    expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_outcome_unknown' } });
    expect(retried).toEqual({
      sendId,
      status: 'suppressed',
      suppressedRecipients: [{ email: 'ann@example.com', reason: 'bounce' }],
      reused: false,
    });
    expect(replayed).toEqual({ ...retried, reused: true });
    expect(service.ses.count('SendEmail')).toBe(1);
    expect(await service.inbox()).toEqual([]);
  });
});

describe('a send without an idempotency key whose outcome is unknown', () => {
  it('gets no retry time, as a retry may send twice, and is completed by its event', async () => {
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
