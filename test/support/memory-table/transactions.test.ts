import {
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { TransactionItem } from '#shared/table/transact-write';
import { count, key, put, TableName, transact } from './commands.ts';
import { openMemoryTable } from './memory-table.ts';

const requireNew = (sk: string, more = {}): TransactionItem => ({
  ConditionCheck: {
    TableName,
    Key: key(sk),
    ConditionExpression: 'attribute_not_exists(pk)',
    ...more,
  },
});

const wantsItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

describe('a transaction', () => {
  it('writes everything', async () => {
    const { table, items } = openMemoryTable();
    await table.client.send(put('gone'));

    await table.client.send(
      transact([
        { Put: { TableName, Item: key('put') } },
        count('counted'),
        { Delete: { TableName, Key: key('gone') } },
        requireNew('free'),
      ]),
    );

    expect(items()).toEqual([{ ...key('counted'), n: 1 }, key('put')]);
  });

  it('writes nothing when a condition fails, and says which', async () => {
    const { table, items } = openMemoryTable();
    await table.client.send(put('taken'));

    const failure = await table.client
      .send(transact([count('a'), requireNew('taken', wantsItem), requireNew('taken2')]))
      .catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(TransactionCanceledException);
    expect(failure).toMatchObject({
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Item: { pk: { S: 'p' }, sk: { S: 'taken' } } },
        { Code: 'None' },
      ],
    });
    expect(items()).toEqual([key('taken')]);
  });

  it('is made once under one token', async () => {
    const { table, items } = openMemoryTable();

    await table.client.send(transact([count('a')], 'token'));
    await table.client.send(transact([count('a')], 'token'));
    const another = table.client.send(transact([count('b')], 'token'));

    await expect(another).rejects.toBeInstanceOf(IdempotentParameterMismatchException);
    expect(items()).toEqual([{ ...key('a'), n: 1 }]);
  });

  it('may be made under the token with which it failed before', async () => {
    const { table, items } = openMemoryTable();
    await table.client.send(put('taken'));
    const request = transact([requireNew('taken'), count('a')], 'token');
    await expect(table.client.send(request)).rejects.toThrow();

    await table.client.send(new DeleteCommand({ TableName, Key: key('taken') }));
    await table.client.send(request);

    expect(items()).toEqual([{ ...key('a'), n: 1 }]);
  });

  it.each([
    { fault: 'it has one item twice', items: [count('a'), requireNew('a')] },
    { fault: 'it has no item', items: [] },
    { fault: 'it has too many', items: Array.from({ length: 101 }, (_, at) => count(`${at}`)) },
  ])('is refused when $fault', async ({ items }) => {
    const { table } = openMemoryTable();

    const request = table.client.send(transact(items));

    await expect(request).rejects.toMatchObject({ name: 'ValidationException' });
  });
});
