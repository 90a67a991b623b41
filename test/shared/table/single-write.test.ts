import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { isRefusedForGood, writeIf } from '#shared/table/writes';

const conditionFailed = (item?: ConditionalCheckFailedException['Item']) =>
  new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    $metadata: { httpStatusCode: 400 },
    ...(item && { Item: item }),
  });

describe('writeIf', () => {
  it('tells that it was written', async () => {
    expect(await writeIf(async () => ({}))).toEqual({ written: true });
  });

  it('brings the item that made the condition fail', async () => {
    const outcome = await writeIf(() =>
      Promise.reject(conditionFailed({ pk: { S: 'ORG#1' }, attempt: { N: '3' } })),
    );

    expect(outcome).toEqual({ written: false, existing: { pk: 'ORG#1', attempt: 3 } });
  });

  it('brings nothing where no item is, or none was asked for', async () => {
    const outcome = await writeIf(() => Promise.reject(conditionFailed()));

    expect(outcome).toEqual({ written: false, existing: undefined });
  });

  it('tries again while a transaction holds the item', async () => {
    let writes = 0;
    const write = async () => {
      writes += 1;
      if (writes < 3) throw new TransactionConflictException({ message: 'held', $metadata: {} });
    };

    expect(await writeIf(write)).toEqual({ written: true });
    expect(writes).toBe(3);
  });

  it('throws any other error, and does not try again', async () => {
    const unreachable = new Error('unreachable');
    let writes = 0;
    const write = () => {
      writes += 1;
      return Promise.reject(unreachable);
    };

    await expect(writeIf(write)).rejects.toBe(unreachable);
    expect(writes).toBe(1);
  });
});

describe('isRefusedForGood', () => {
  const failure = (name: string) =>
    new DynamoDBServiceException({ name, $fault: 'client', $metadata: {} });

  it.each([
    ['a request that DynamoDB can never take', failure('ValidationException'), true],
    ['one that it throttles', failure('ThrottlingException'), false],
    [
      'an error of ours of that name',
      Object.assign(new Error(), { name: 'ValidationException' }),
      false,
    ],
  ])('tells whether repeating helps: %s', (_what, error, isForGood) => {
    expect(isRefusedForGood(error)).toBe(isForGood);
  });
});
