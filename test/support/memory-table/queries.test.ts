import {
  PutCommand,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { openMemoryTable } from './memory-table.ts';

const { table, clear } = openMemoryTable();
const TableName = table.name;

const put = (item: Record<string, unknown>) =>
  table.client.send(new PutCommand({ TableName, Item: item }));

/** In the order of their UTF-8 bytes, which is not JavaScript's. */
const sortKeys = ['A', 'a', 'a1', 'b', 'é', '\uffee', '😀'];

const wholePartition = {
  TableName,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': 'p' },
};

const query = (input: Partial<QueryCommandInput>) =>
  table.client.send(new QueryCommand({ ...wholePartition, ...input }));

async function sortKeysOf(input: Partial<QueryCommandInput>) {
  const { Items = [] } = await query(input);
  return Items.map(({ sk }) => sk);
}

beforeEach(clear);

describe('a query of the table', () => {
  beforeEach(async () => {
    for (const sk of sortKeys.toReversed()) await put({ pk: 'p', sk, isLong: sk.length > 1 });
    await put({ pk: 'other', sk: 'a' });
  });

  it('answers with a partition in order', async () => {
    expect(await sortKeysOf({})).toEqual(sortKeys);
    expect(await sortKeysOf({ ScanIndexForward: false })).toEqual(sortKeys.toReversed());
  });

  it.each([
    { condition: 'sk = :a', found: ['a'] },
    { condition: 'sk < :b', found: ['A', 'a', 'a1'] },
    { condition: 'sk <= :a', found: ['A', 'a'] },
    { condition: 'sk > :b', found: ['é', '\uffee', '😀'] },
    { condition: ':b <= sk', found: ['b', 'é', '\uffee', '😀'] },
    { condition: 'sk BETWEEN :a AND :b', found: ['a', 'a1', 'b'] },
    { condition: 'begins_with(sk, :a)', found: ['a', 'a1'] },
  ])('answers with what meets $condition', async ({ condition, found }) => {
    const values = Object.entries({ ':a': 'a', ':b': 'b' }).filter(([name]) =>
      condition.includes(name),
    );

    const range = {
      KeyConditionExpression: `pk = :pk AND ${condition}`,
      ExpressionAttributeValues: { ':pk': 'p', ...Object.fromEntries(values) },
    };

    expect(await sortKeysOf(range)).toEqual(found);
  });

  it('is read page by page', async () => {
    const pages: unknown[][] = [];

    const paging = paginateQuery({ client: table.client, pageSize: 3 }, { ...wholePartition });
    for await (const { Items = [] } of paging) pages.push(Items.map(({ sk }) => sk));

    expect(pages).toEqual([['A', 'a', 'a1'], ['b', 'é', '\uffee'], ['😀']]);
  });

  it('filters what it has read', async () => {
    const { Items, Count, ScannedCount, LastEvaluatedKey } = await query({
      FilterExpression: 'isLong = :yes',
      ExpressionAttributeValues: { ':pk': 'p', ':yes': true },
      Limit: 3,
    });

    expect(Items).toEqual([{ pk: 'p', sk: 'a1', isLong: true }]);
    expect({ Count, ScannedCount }).toEqual({ Count: 1, ScannedCount: 3 });
    expect(LastEvaluatedKey).toEqual({ pk: 'p', sk: 'a1' });
  });

  it('goes on after a start that is there no more', async () => {
    expect(await sortKeysOf({ ExclusiveStartKey: { pk: 'p', sk: 'aa' } })).toEqual(
      sortKeys.slice(3),
    );
  });
});

describe('a query of an index', () => {
  const inIndex = { IndexName: 'gsi1', KeyConditionExpression: 'gsi1pk = :pk' };
  const indexed = (sk: string, gsi1sk: string) => ({ pk: 'x', sk, gsi1pk: 'p', gsi1sk });

  it('answers with the keys of the items that have both of the index', async () => {
    await put({ ...indexed('1', 'b'), more: 1 });
    await put({ ...indexed('2', 'a'), more: 1 });
    await put({ pk: 'x', sk: '3', gsi1pk: 'p' });

    const { Items } = await query(inIndex);

    expect(Items).toEqual([indexed('2', 'a'), indexed('1', 'b')]);
  });

  it.each([
    { expression: 'SET gsi1sk = :c', found: ['2', '1'] },
    { expression: 'REMOVE gsi1sk', found: ['2'] },
    { expression: 'SET more = :c', found: ['1', '2'] },
  ])('follows the item: $expression', async ({ expression, found }) => {
    await put(indexed('1', 'a'));
    await put(indexed('2', 'b'));

    await table.client.send(
      new UpdateCommand({
        TableName,
        Key: { pk: 'x', sk: '1' },
        UpdateExpression: expression,
        ...(expression.includes(':c') && { ExpressionAttributeValues: { ':c': 'c' } }),
      }),
    );

    expect(await sortKeysOf(inIndex)).toEqual(found);
  });

  it('is read page by page past equal sort keys', async () => {
    const all = ['1', '2', '3', '4', '5'];
    for (const sk of all) await put(indexed(sk, 'same'));
    const found: unknown[] = [];

    const paging = paginateQuery(
      { client: table.client, pageSize: 2 },
      { ...wholePartition, ...inIndex },
    );
    for await (const { Items = [] } of paging) found.push(...Items.map(({ sk }) => sk));

    expect(found.toSorted()).toEqual(all);
  });
});
