import {
  ConditionalCheckFailedException,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { count, key, put, TableName, transact } from './commands.ts';
import { openMemoryTable } from './memory-table.ts';

const putNew = (sk: string, more = {}) =>
  new PutCommand({
    TableName,
    Item: key(sk),
    ConditionExpression: 'attribute_not_exists(pk)',
    ...more,
  });

const wantsItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

describe('openMemoryTable', () => {
  it('answers with what was put', async () => {
    const { table } = openMemoryTable();
    const attributes = { n: 1.5, list: [null, true, { map: 'text' }], set: new Set(['a']) };

    await table.client.send(put('a', attributes));
    const { Item } = await table.client.send(new GetCommand({ TableName, Key: key('a') }));

    expect(Item).toEqual({ ...key('a'), ...attributes });
  });

  it('does not wait for timers or the network', async () => {
    const { table } = openMemoryTable();
    let turns = 0;
    const counting = setImmediate(() => {
      turns += 1;
    });

    await table.client.send(put('a'));
    await table.client.send(transact([count('b')]));

    clearImmediate(counting);
    expect(turns).toBe(0);
  });

  it('answers a batch with the items that are there', async () => {
    const { table } = openMemoryTable();
    await table.client.send(put('a'));

    const { Responses } = await table.client.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [key('a'), key('b')] } } }),
    );

    expect(Responses).toEqual({ [TableName]: [key('a')] });
  });

  it('answers a delete with the item that was there', async () => {
    const { table, items } = openMemoryTable();
    await table.client.send(put('a', { n: 1 }));

    const { Attributes } = await table.client.send(
      new DeleteCommand({ TableName, Key: key('a'), ReturnValues: 'ALL_OLD' }),
    );

    expect(Attributes).toEqual({ ...key('a'), n: 1 });
    expect(items()).toEqual([]);
  });

  it.each([
    { request: putNew('a', wantsItem), item: { pk: { S: 'p' }, sk: { S: 'a' }, n: { N: '1' } } },
    { request: putNew('a'), item: undefined },
  ])('throws what the SDK throws when a condition fails, with $item', async ({ request, item }) => {
    const { table } = openMemoryTable();
    await table.client.send(put('a', { n: 1 }));

    const failure = await table.client.send(request).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(ConditionalCheckFailedException);
    expect(failure).toMatchObject({ Item: item });
  });

  it('knows its own name alone', async () => {
    const { table } = openMemoryTable({ name: 'mine' });

    const reading = table.client.send(new GetCommand({ TableName: 'yours', Key: key('a') }));

    await expect(reading).rejects.toBeInstanceOf(ResourceNotFoundException);
  });

  it('says so when it lacks an operation or a parameter', async () => {
    const { client } = openMemoryTable().table;

    const scan = client.send(new ScanCommand({ TableName }));
    const legacy = client.send(
      new GetCommand({ TableName, Key: key('a'), AttributesToGet: ['n'] }),
    );

    await expect(scan).rejects.toThrow('has no Scan');
    await expect(legacy).rejects.toThrow('knows no AttributesToGet of GetItem');
  });

  it('deletes what has expired when it is told the time', async () => {
    const { table, items, deleteExpired } = openMemoryTable();
    await table.client.send(put('old', { expiresAt: 999 }));
    await table.client.send(put('now', { expiresAt: 1_000 }));
    await table.client.send(put('kept'));

    deleteExpired(1_000);

    expect(items().map(({ sk }) => sk)).toEqual(['kept', 'now']);
  });

  it('forgets everything when it is cleared', async () => {
    const { table, items, clear } = openMemoryTable();
    await table.client.send(transact([count('a')], 'token'));

    clear();
    await table.client.send(transact([count('b')], 'token'));

    expect(items()).toEqual([{ ...key('b'), n: 1 }]);
  });
});
