import { describe, expect, it } from 'vitest';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import { allKeysUnprocessed, dynamodbError } from '../support/aws-answers.ts';
import { type Action, answerInstead, resetBeforeForwarding } from '../support/faults.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { leaveContactUnprocessed } from '../support/partial-read.ts';
import { resultOf, type ServiceCaller } from '../support/service-caller.ts';
import { writesAmong } from '../support/table-requests.ts';

const service = await useFaultyService();

const always = 1_000;

const sendOnce = (caller: ServiceCaller) => caller.send({}, { 'idempotency-key': 'order-1' });

describe('when DynamoDB fails to read', () => {
  const operation = 'BatchGetItem';
  const lasting: readonly (readonly [string, Action])[] = [
    ['throttles', answerInstead(dynamodbError('ProvisionedThroughputExceededException'))],
    ['answers 500', answerInstead(dynamodbError('InternalServerError'))],
    ['breaks the connection', resetBeforeForwarding()],
    ['leaves every key unread', answerInstead(allKeysUnprocessed)],
  ];

  it.each(lasting)('for a moment (it %s), the email is sent', async (_, action) => {
    const caller = await service.newCaller();
    service.dynamodb.inject({ operation, action });

    const result = resultOf(await sendOnce(caller));

    expect(await service.inbox()).toMatchObject([{ messageId: result.messageId }]);
  });

  it.each(lasting)('permanently (it %s), nothing is claimed or sent', async (_, action) => {
    const caller = await service.newCaller();
    service.dynamodb.inject({ operation, times: always, action });

    const answer = await sendOnce(caller);

    expect(answer).toMatchObject({ status: 500, problem: { code: 'internal_error' } });
    expect(writesAmong(service.dynamodb.requests)).toEqual([]);
    expect(service.ses.count('SendEmail')).toBe(0);
  });

  it('the one suppressed contact, it retries and sends nothing', async () => {
    const caller = await service.newCaller();
    const { organizationId } = caller;
    const now = Date.now();
    await suppressAddress(
      service.table,
      organizationId,
      { identity: 'ann@example.com', reason: 'bounce' },
      now,
    );
    service.dynamodb.inject({ operation, times: 2, action: leaveContactUnprocessed });

    const result = resultOf(await caller.send({ to: 'ann@example.com' }));

    expect(result).toMatchObject({ status: 'suppressed' });
    expect(service.dynamodb.count(operation)).toBe(3);
    expect(service.ses.count('SendEmail')).toBe(0);
  });
});

describe('when DynamoDB fails to count the request against the cap', () => {
  it('nothing is claimed or sent', async () => {
    const caller = await service.newCaller({ apiKey: { perMinuteCap: 10 } });
    const action = answerInstead(dynamodbError('InternalServerError'));
    service.dynamodb.inject({ operation: 'UpdateItem', times: always, action });

    const answer = await sendOnce(caller);

    expect(answer).toMatchObject({ status: 500, problem: { code: 'internal_error' } });
    expect(service.dynamodb.count('PutItem')).toBe(0);
    expect(service.ses.count('SendEmail')).toBe(0);
  });
});
