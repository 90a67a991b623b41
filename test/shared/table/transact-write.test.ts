import {
  type CancellationReason,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { transactWrite } from '#shared/table/writes';

const items = [
  { Put: { TableName: 'table', Item: { pk: 'ORG#1', sk: 'A' } } },
  { Put: { TableName: 'table', Item: { pk: 'ORG#1', sk: 'B' } } },
];

function openFakeTable() {
  // No waiting between the attempts.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' }));
  const calls = mockClient(client);
  const inputs = () =>
    calls.commandCalls(TransactWriteCommand).map(({ args: [command] }) => command.input);
  return { table: { client, name: 'table' }, calls, inputs };
}

const cancelledBy = (...reasons: readonly (string | CancellationReason)[]) =>
  new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: reasons.map((reason) =>
      typeof reason === 'string' ? { Code: reason } : reason,
    ),
  });

describe('transactWrite', () => {
  it('writes all items in one call', async () => {
    const { table, calls, inputs } = openFakeTable();
    calls.on(TransactWriteCommand).resolves({});

    expect(await transactWrite(table, items)).toEqual({ committed: true });
    expect(inputs()).toMatchObject([{ TransactItems: items }]);
  });

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'tries again after %s, with the same token, so that no attempt counts twice',
    async (reason) => {
      const { table, calls, inputs } = openFakeTable();
      calls
        .on(TransactWriteCommand)
        .rejectsOnce(cancelledBy('None', reason))
        .rejectsOnce(cancelledBy(reason, 'None'))
        .resolves({});

      const outcome = await transactWrite(table, items);

      const tokens = inputs().map(({ ClientRequestToken }) => ClientRequestToken);
      expect(outcome).toEqual({ committed: true });
      expect(tokens).toHaveLength(3);
      expect(new Set(tokens)).toEqual(new Set([expect.stringMatching(/^[0-9a-f-]{36}$/)]));
    },
  );

  it('uses another token for another transaction', async () => {
    const { table, calls, inputs } = openFakeTable();
    calls.on(TransactWriteCommand).resolves({});

    await transactWrite(table, items);
    await transactWrite(table, items);

    const tokens = inputs().map(({ ClientRequestToken }) => ClientRequestToken);
    expect(new Set(tokens).size).toBe(2);
  });

  it('gives up when the conflict lasts', async () => {
    const { table, calls, inputs } = openFakeTable();
    calls.on(TransactWriteCommand).rejects(cancelledBy('TransactionConflict', 'None'));

    await expect(transactWrite(table, items)).rejects.toBeInstanceOf(TransactionCanceledException);
    expect(inputs()).toHaveLength(10);
  });

  it('answers which condition failed and on what item, and does not try again', async () => {
    const { table, calls, inputs } = openFakeTable();
    const Item = { pk: { S: 'ORG#1' }, count: { N: '3' } };
    calls
      .on(TransactWriteCommand)
      .rejects(cancelledBy('None', { Code: 'ConditionalCheckFailed', Item }));

    expect(await transactWrite(table, items)).toEqual({
      committed: false,
      conditions: [
        { failed: false, item: undefined },
        { failed: true, item: { pk: 'ORG#1', count: 3 } },
      ],
    });
    expect(inputs()).toHaveLength(1);
  });

  it('answers a failed condition though another item is in conflict', async () => {
    const { table, calls, inputs } = openFakeTable();
    calls
      .on(TransactWriteCommand)
      .rejects(cancelledBy('TransactionConflict', 'ConditionalCheckFailed'));

    expect(await transactWrite(table, items)).toMatchObject({
      committed: false,
      conditions: [{ failed: false }, { failed: true }],
    });
    expect(inputs()).toHaveLength(1);
  });

  it.each([
    ['a transaction that is not valid', cancelledBy('ValidationError', 'None')],
    ['any other error', new Error('unreachable')],
  ])('throws %s at once', async (_what, error) => {
    const { table, calls, inputs } = openFakeTable();
    calls.on(TransactWriteCommand).rejects(error);

    await expect(transactWrite(table, items)).rejects.toBe(error);
    expect(inputs()).toHaveLength(1);
  });
});
