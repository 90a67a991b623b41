import { describe, expect, it } from 'vitest';
import { dynamodbError, sesError, transactionCanceled } from '../support/aws-answers.ts';
import {
  type Action,
  answerInstead,
  loseAnswer,
  replaceAnswer,
  resetBeforeForwarding,
} from '../support/faults.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { resultOf, retryUntilDone, type ServiceCaller } from '../support/service-caller.ts';
import { claimedSendIds, isClaim, isSettlement } from '../support/table-requests.ts';

const doubtWindowSeconds = 2.5;
const service = await useFaultyService({ doubtWindowSeconds, providerCallTimeoutMs: 3_000 });

const always = 1_000;

const passing: readonly (readonly [name: string, action: Action, times: number])[] = [
  ['throttles', answerInstead(dynamodbError('ProvisionedThroughputExceededException')), 1],
  ['reports a conflict', answerInstead(transactionCanceled(['None', 'TransactionConflict'])), 3],
  ['throttles one item', answerInstead(transactionCanceled(['ThrottlingError', 'None'])), 2],
  ['is still at the first try', answerInstead(dynamodbError('TransactionInProgressException')), 1],
  ['answers 500', answerInstead(dynamodbError('InternalServerError')), 2],
  ['breaks the connection', resetBeforeForwarding(), 2],
  ['writes and loses the answer', loseAnswer(), 1],
  ['writes and answers 500', replaceAnswer(dynamodbError('InternalServerError')), 2],
];
/** Throttling that lasts takes seconds and ends like an error: see the read faults. */
const lastingAndUnwritten: readonly (readonly [name: string, action: Action])[] = [
  ['reports conflicts', answerInstead(transactionCanceled(['TransactionConflict']))],
  ['answers 500', answerInstead(dynamodbError('InternalServerError'))],
  ['breaks the connection', resetBeforeForwarding()],
];

const sendOnce = (caller: ServiceCaller) => caller.send({}, { 'idempotency-key': 'order-1' });
const firstSendId = () => claimedSendIds(service.dynamodb.requests)[0] ?? 'none';

const claim = { operation: 'TransactWriteItems', matches: isClaim };
const commit = { operation: 'TransactWriteItems', matches: isSettlement('sent') };

const completeTimeline = (providerMessageId: string | undefined) => ({
  send: { status: 'sent' },
  messages: [{ providerMessageId }],
  events: [{ type: 'sent', providerMessageId }],
  webhooks: [{ type: 'email.sent', status: 'pending' }],
});

describe('when DynamoDB fails for a moment', () => {
  it.each(passing)(
    'to claim (it %s) one email goes out and is stored',
    async (_, action, times) => {
      const caller = await service.newCaller();
      service.dynamodb.inject({ ...claim, action, times });

      const result = resultOf(await sendOnce(caller));

      expect(await service.inbox()).toMatchObject([{ messageId: result.messageId }]);
      expect(await caller.timeline(result.sendId)).toMatchObject(
        completeTimeline(result.messageId),
      );
    },
  );

  it.each(passing)('to commit (it %s) the 200 is stored', async (_, action, times) => {
    const caller = await service.newCaller();
    service.dynamodb.inject({ ...commit, action, times });

    const result = resultOf(await sendOnce(caller));

    expect(await service.inbox()).toMatchObject([{ messageId: result.messageId }]);
    expect(await caller.timeline(result.sendId)).toMatchObject(completeTimeline(result.messageId));
    expect(resultOf(await sendOnce(caller))).toEqual({ ...result, reused: true });
  });

  it('to claim a send without a key (it writes and loses the answer) one email goes out', async () => {
    const caller = await service.newCaller();
    service.dynamodb.inject({ operation: 'PutItem', action: loseAnswer() });

    const result = resultOf(await caller.send());

    expect(await service.inbox()).toMatchObject([{ messageId: result.messageId }]);
  });
});

describe('when DynamoDB fails for good to claim', () => {
  it.each(lastingAndUnwritten)(
    '(it %s) nothing is sent, and a retry sends it',
    async (_, action) => {
      const caller = await service.newCaller();
      service.dynamodb.inject({ ...claim, action, times: always });

      const answer = await sendOnce(caller);
      const sesCalls = service.ses.count('SendEmail');
      service.dynamodb.clear();
      const retried = resultOf(await sendOnce(caller));

      expect(answer).toMatchObject({ status: 500, problem: { code: 'internal_error' } });
      expect(sesCalls).toBe(0);
      expect(retried.reused).toBe(false);
      expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
    },
  );

  it('(it writes and loses every answer) the claim holds until the doubt window is over', async () => {
    const caller = await service.newCaller();
    service.dynamodb.inject({ ...claim, action: loseAnswer(), times: always });

    const answer = await sendOnce(caller);
    const sesCalls = service.ses.count('SendEmail');
    const sendId = firstSendId();
    service.dynamodb.clear();
    const retried = await retryUntilDone(() => sendOnce(caller));

    expect(answer).toMatchObject({ status: 500, problem: { code: 'internal_error' } });
    expect(sesCalls).toBe(0);
    expect(retried).toMatchObject({ sendId, status: 'sent', reused: false });
    expect(await service.inbox()).toHaveLength(1);
  });

  it('(without a key) nothing is sent', async () => {
    const caller = await service.newCaller();
    const action = answerInstead(dynamodbError('InternalServerError'));
    service.dynamodb.inject({ operation: 'PutItem', action, times: always });

    const answer = await caller.send();

    expect(answer).toMatchObject({ status: 500, problem: { code: 'internal_error' } });
    expect(service.ses.count('SendEmail')).toBe(0);
  });
});

describe('when DynamoDB fails for good to commit', () => {
  it.each(lastingAndUnwritten)(
    '(it %s) the answer is no 200, and the Send event completes the send',
    async (_, action) => {
      const caller = await service.newCaller();
      service.dynamodb.inject({ ...commit, action, times: always });

      const answer = await sendOnce(caller);
      const sendId = firstSendId();
      const unfinished = await caller.timeline(sendId);
      await service.deliverProviderEvents();
      const retried = await sendOnce(caller);

      const [{ messageId } = {}, ...others] = await service.inbox();
      expect(answer).toMatchObject({ status: 500, problem: { code: 'provider_outcome_unknown' } });
      expect(answer.retryAfter).toBeGreaterThanOrEqual(1);
      expect(answer.retryAfter).toBeLessThanOrEqual(Math.ceil(doubtWindowSeconds));
      expect(unfinished).toMatchObject({ send: { status: 'sending' }, messages: [], events: [] });
      expect(retried.result).toEqual({ sendId, status: 'sent', messageId, reused: true });
      expect(others).toEqual([]);
    },
  );

  it('(it writes and loses every answer) a retry is a replay at once', async () => {
    const caller = await service.newCaller();
    service.dynamodb.inject({ ...commit, action: loseAnswer(), times: always });

    const answer = await sendOnce(caller);
    const retried = resultOf(await sendOnce(caller));

    expect(answer).toMatchObject({ status: 500, problem: { code: 'provider_outcome_unknown' } });
    expect(retried).toMatchObject({ status: 'sent', reused: true });
    expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
    expect(await caller.timeline(retried.sendId)).toMatchObject(
      completeTimeline(retried.messageId),
    );
  });

  it('a refusal by SES, the caller learns of it, and the key is free after the doubt window', async () => {
    const caller = await service.newCaller();
    const serverFault = answerInstead(dynamodbError('InternalServerError'));
    const refuse = answerInstead(sesError('MessageRejected'));
    service.ses.inject({ operation: 'SendEmail', action: refuse });
    const matches = isSettlement('failed');
    service.dynamodb.inject({ ...commit, matches, action: serverFault, times: always });

    const refused = await sendOnce(caller);
    const retried = await retryUntilDone(() => sendOnce(caller));

    expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_rejected' } });
    expect(retried).toMatchObject({ status: 'sent', reused: false });
    expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
  });
});
