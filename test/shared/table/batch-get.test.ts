import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { batchGet } from '#shared/table/reads';

const [one, other] = [
  { pk: 'ORG#1', sk: 'A' },
  { pk: 'ORG#1', sk: 'B' },
];

function openFakeTable() {
  // No waiting between the rounds.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' }));
  const calls = mockClient(client);
  const keysOfCalls = () =>
    calls.commandCalls(BatchGetCommand).map(({ args: [command] }) => command.input.RequestItems);
  return { table: { client, name: 'table' }, calls, keysOfCalls };
}

const requestFor = (...Keys: object[]) => ({ table: { Keys, ConsistentRead: true } });

describe('batchGet', () => {
  it('finds each item by its key, and nothing where there is none', async () => {
    const { table, calls } = openFakeTable();
    calls.on(BatchGetCommand).resolves({ Responses: { table: [{ ...other, name: 'b' }] } });

    const itemOf = await batchGet(table, [one, other]);

    expect(itemOf(one)).toBeUndefined();
    expect(itemOf(other)).toEqual({ ...other, name: 'b' });
  });

  it('reads strongly consistent, all keys in one call', async () => {
    const { table, calls, keysOfCalls } = openFakeTable();
    calls.on(BatchGetCommand).resolves({ Responses: { table: [] } });

    await batchGet(table, [one, other]);

    expect(keysOfCalls()).toEqual([requestFor(one, other)]);
  });

  it('asks again for the keys that were left unprocessed, and for no others', async () => {
    const { table, calls, keysOfCalls } = openFakeTable();
    calls
      .on(BatchGetCommand)
      .resolvesOnce({
        Responses: { table: [{ ...one, name: 'a' }] },
        UnprocessedKeys: { table: { Keys: [other] } },
      })
      .resolvesOnce({ Responses: { table: [] }, UnprocessedKeys: { table: { Keys: [other] } } })
      .resolves({ Responses: { table: [{ ...other, name: 'b' }] }, UnprocessedKeys: {} });

    const itemOf = await batchGet(table, [one, other]);

    expect(keysOfCalls()).toEqual([requestFor(one, other), requestFor(other), requestFor(other)]);
    expect([one, other].map((key) => itemOf(key)?.['name'])).toEqual(['a', 'b']);
  });

  it('reads more than 100 keys in several calls at once', async () => {
    const { table, calls, keysOfCalls } = openFakeTable();
    calls.on(BatchGetCommand).resolves({ Responses: { table: [{ ...one, name: 'a' }] } });
    const others = Array.from({ length: 200 }, (_, index) => ({ pk: 'ORG#1', sk: `${index}` }));

    const itemOf = await batchGet(table, [...others, one]);

    expect(itemOf(one)?.['name']).toBe('a');
    expect(keysOfCalls()).toEqual([
      requestFor(...others.slice(0, 100)),
      requestFor(...others.slice(100)),
      requestFor(one),
    ]);
  });

  it('fails when keys stay unprocessed, and does not answer with holes', async () => {
    const { table, calls, keysOfCalls } = openFakeTable();
    calls.on(BatchGetCommand).resolves({
      Responses: { table: [one] },
      UnprocessedKeys: { table: { Keys: [other] } },
    });

    await expect(batchGet(table, [one, other])).rejects.toThrow('unprocessed');
    expect(keysOfCalls()).toHaveLength(6);
  });

  it('fails when the read fails', async () => {
    const { table, calls } = openFakeTable();
    calls.on(BatchGetCommand).rejects(new Error('unreachable'));

    await expect(batchGet(table, [one])).rejects.toThrow('unreachable');
  });

  it('makes no call for no keys', async () => {
    const { table, keysOfCalls } = openFakeTable();

    const itemOf = await batchGet(table, []);

    expect(itemOf(one)).toBeUndefined();
    expect(keysOfCalls()).toEqual([]);
  });
});
