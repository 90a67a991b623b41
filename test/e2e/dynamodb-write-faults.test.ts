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
import {
  claim,
  claimedSendIds,
  commit,
  commitWithOutbox,
  failure,
  failureWithOutbox,
  nextAttempt,
} from '../support/table-requests.ts';

// No test waits for it: the clock is moved forward.
const doubtWindowSeconds = 60;
const service = await useFaultyService({ doubtWindowSeconds });

const always = 1_000;

type Fault = readonly [name: string, action: Action, times: number];

const passing: readonly Fault[] = [
  ['throttles', answerInstead(dynamodbError('ProvisionedThroughputExceededException')), 1],
  ['answers 500', answerInstead(dynamodbError('InternalServerError')), 2],
  ['breaks the connection', resetBeforeForwarding(), 2],
  ['writes and loses the answer', loseAnswer(), 1],
  ['writes and answers 500', replaceAnswer(dynamodbError('InternalServerError')), 2],
];
/** For a single write. */
const passingAlone: readonly Fault[] = [
  ...passing,
  ['reports a conflict', answerInstead(dynamodbError('TransactionConflictException')), 3],
];
const passingInTransaction: readonly Fault[] = [
  ...passing,
  ['reports a conflict', answerInstead(transactionCanceled(['None', 'TransactionConflict'])), 3],
  ['throttles one item', answerInstead(transactionCanceled(['ThrottlingError', 'None'])), 2],
  ['is still at the first try', answerInstead(dynamodbError('TransactionInProgressException')), 1],
];

/** Lasting throttling takes seconds and ends like an error: see the read faults. */
type LastingFault = readonly [name: string, action: Action];

const lastingAndUnwritten: readonly LastingFault[] = [
  ['answers 500', answerInstead(dynamodbError('InternalServerError'))],
  ['breaks the connection', resetBeforeForwarding()],
];
const lastingAlone: readonly LastingFault[] = [
  ...lastingAndUnwritten,
  ['reports conflicts', answerInstead(dynamodbError('TransactionConflictException'))],
];
const lastingInTransaction: readonly LastingFault[] = [
  ...lastingAndUnwritten,
  ['reports conflicts', answerInstead(transactionCanceled(['TransactionConflict']))],
];

const sendOnce = (caller: ServiceCaller) => caller.send({}, { 'idempotency-key': 'order-1' });
const firstSendId = () => claimedSendIds(service.dynamodb.requests)[0] ?? 'none';

const refuse = answerInstead(sesError('MessageRejected'));

const completeTimeline = (providerMessageId: string | undefined) => ({
  send: { status: 'sent' },
  messages: [{ providerMessageId }],
  events: [{ type: 'sent', providerMessageId }],
  webhooks: [{ type: 'email.sent', status: 'pending' }],
});

/** How an acceptance is written, for an organization with a webhook endpoint and one without. */
const commits = {
  'to commit with the outbox': { fault: commitWithOutbox, hasWebhook: true },
  'to commit': { fault: commit, hasWebhook: false },
} as const;

/** How SES's refusal is written. */
const refusals = {
  'to record a refusal by SES with the outbox': { fault: failureWithOutbox, hasWebhook: true },
  'to record a refusal by SES': { fault: failure, hasWebhook: false },
} as const;
const refusalSteps = [
  'to record a refusal by SES with the outbox',
  'to record a refusal by SES',
] as const;

const casesOf = <Case extends Fault | LastingFault>(
  alone: readonly Case[],
  inTransaction: readonly Case[],
) => [
  ...inTransaction.map((fault) => ['to commit with the outbox', ...fault] as const),
  ...alone.map((fault) => ['to commit', ...fault] as const),
];

describe('when DynamoDB fails for a moment', () => {
  it.each(passingAlone)(
    'to claim (it %s), one email is sent and stored',
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

  it.each(casesOf(passingAlone, passingInTransaction))(
    '%s (it %s), the 200 is stored',
    async (step, _, action, times) => {
      const { fault, hasWebhook } = commits[step];
      const caller = await service.newCaller({ hasWebhook });
      service.dynamodb.inject({ ...fault, action, times });

      const result = resultOf(await sendOnce(caller));

      expect(await service.inbox()).toMatchObject([{ messageId: result.messageId }]);
      expect(await caller.timeline(result.sendId)).toMatchObject({
        ...completeTimeline(result.messageId),
        ...(!hasWebhook && { webhooks: [] }),
      });
      expect(resultOf(await sendOnce(caller))).toEqual({ ...result, reused: true });
    },
  );

  it.each(passingAlone)(
    'to claim a next attempt (it %s), one email is sent and stored',
    async (_, action, times) => {
      const caller = await service.newCaller();
      service.ses.inject({ operation: 'SendEmail', action: refuse });
      await sendOnce(caller);
      service.dynamodb.inject({ ...nextAttempt, action, times });

      const result = resultOf(await sendOnce(caller));

      expect(result).toMatchObject({ sendId: firstSendId(), status: 'sent', reused: false });
      expect(await service.inbox()).toMatchObject([{ messageId: result.messageId }]);
      expect(await caller.timeline(result.sendId)).toMatchObject({
        ...completeTimeline(result.messageId),
        webhooks: [{ type: 'email.failed' }, { type: 'email.sent' }],
      });
    },
  );

  it.each([
    ...passingInTransaction.map((fault) => [refusalSteps[0], ...fault] as const),
    ...passingAlone.map((fault) => [refusalSteps[1], ...fault] as const),
  ])(
    '%s (it %s), the refusal is recorded once, and a retry sends the email',
    async (step, _, action, times) => {
      const { fault, hasWebhook } = refusals[step];
      const caller = await service.newCaller({ hasWebhook });
      service.ses.inject({ operation: 'SendEmail', action: refuse });
      service.dynamodb.inject({ ...fault, action, times });

      const refused = await sendOnce(caller);
      const { send, webhooks } = await caller.timeline(firstSendId());
      const retried = resultOf(await sendOnce(caller));

      expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_rejected' } });
      expect(send).toMatchObject({ status: 'failed', failureReason: 'MessageRejected' });
      expect(send.attempts).toMatchObject([{ attempt: 1, reason: 'MessageRejected' }]);
      expect(webhooks).toMatchObject(hasWebhook ? [{ type: 'email.failed' }] : []);
      expect(retried).toMatchObject({ sendId: send._id, status: 'sent', reused: false });
      expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
    },
  );

  it('to claim a send without a key (it writes and loses the answer), one email is sent', async () => {
    const caller = await service.newCaller();
    service.dynamodb.inject({ ...claim, action: loseAnswer() });

    const result = resultOf(await caller.send());

    expect(await service.inbox()).toMatchObject([{ messageId: result.messageId }]);
  });
});

describe('when DynamoDB permanently fails to claim', () => {
  it.each(lastingAlone)('(it %s), nothing is sent, and a retry sends it', async (_, action) => {
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
  });

  it('(it writes and loses every answer), the claim holds until the doubt window is over', async () => {
    const caller = await service.newCaller();
    service.dynamodb.inject({ ...claim, action: loseAnswer(), times: always });

    const answer = await sendOnce(caller);
    const sesCalls = service.ses.count('SendEmail');
    const sendId = firstSendId();
    service.dynamodb.clear();
    const retried = await retryUntilDone(() => sendOnce(caller), service.pass);

    expect(answer).toMatchObject({ status: 500, problem: { code: 'internal_error' } });
    expect(sesCalls).toBe(0);
    expect(retried).toMatchObject({ sendId, status: 'sent', reused: false });
    expect(await service.inbox()).toHaveLength(1);
  });

  it('(without a key), nothing is sent', async () => {
    const caller = await service.newCaller();
    const action = answerInstead(dynamodbError('InternalServerError'));
    service.dynamodb.inject({ ...claim, action, times: always });

    const answer = await caller.send();

    expect(answer).toMatchObject({ status: 500, problem: { code: 'internal_error' } });
    expect(service.ses.count('SendEmail')).toBe(0);
  });
});

describe('when DynamoDB permanently fails', () => {
  it.each(casesOf(lastingAlone, lastingInTransaction))(
    "%s (it %s), the answer isn't a 200, and the Send event completes the send",
    async (step, _, action) => {
      const { fault, hasWebhook } = commits[step];
      const caller = await service.newCaller({ hasWebhook });
      service.dynamodb.inject({ ...fault, action, times: always });

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

  it.each(['to commit with the outbox', 'to commit'] as const)(
    '%s (it writes and loses every answer), a retry replays at once',
    async (step) => {
      const { fault, hasWebhook } = commits[step];
      const caller = await service.newCaller({ hasWebhook });
      service.dynamodb.inject({ ...fault, action: loseAnswer(), times: always });

      const answer = await sendOnce(caller);
      const retried = resultOf(await sendOnce(caller));

      expect(answer).toMatchObject({ status: 500, problem: { code: 'provider_outcome_unknown' } });
      expect(retried).toMatchObject({ status: 'sent', reused: true });
      expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
      expect(await caller.timeline(retried.sendId)).toMatchObject({
        ...completeTimeline(retried.messageId),
        ...(!hasWebhook && { webhooks: [] }),
      });
    },
  );

  it.each(refusalSteps)(
    '%s, the caller gets the refusal, and a retry sends after the doubt window',
    async (step) => {
      const { fault, hasWebhook } = refusals[step];
      const caller = await service.newCaller({ hasWebhook });
      const serverFault = answerInstead(dynamodbError('InternalServerError'));
      service.ses.inject({ operation: 'SendEmail', action: refuse });
      service.dynamodb.inject({ ...fault, action: serverFault, times: always });

      const refused = await sendOnce(caller);
      const sendId = firstSendId();
      const retried = await retryUntilDone(() => sendOnce(caller), service.pass);

      expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_rejected' } });
      expect(retried).toMatchObject({ sendId, status: 'sent', reused: false });
      expect(await service.inbox()).toMatchObject([{ messageId: retried.messageId }]);
    },
  );

  it.each(refusalSteps)(
    '%s (it writes and loses every answer), a retry sends at once',
    async (step) => {
      const { fault, hasWebhook } = refusals[step];
      const caller = await service.newCaller({ hasWebhook });
      service.ses.inject({ operation: 'SendEmail', action: refuse });
      service.dynamodb.inject({ ...fault, action: loseAnswer(), times: always });

      const refused = await sendOnce(caller);
      const sendId = firstSendId();
      const retried = resultOf(await sendOnce(caller));

      expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_rejected' } });
      expect(retried).toMatchObject({ sendId, status: 'sent', reused: false });
      expect(await caller.timeline(sendId)).toMatchObject({
        send: { status: 'sent', attempts: [{ attempt: 1, reason: 'MessageRejected' }] },
        webhooks: hasWebhook ? [{ type: 'email.failed' }, { type: 'email.sent' }] : [],
      });
    },
  );
});
