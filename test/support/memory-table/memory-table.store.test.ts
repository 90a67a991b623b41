import { randomUUID } from 'node:crypto';
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { type QueryCommandInput, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStoreTable } from '../store-table.ts';
import type { TransactWriteItem } from './commands.ts';
import { openComparedTable } from './compared-table.ts';
import { type RandomCall, send, tableSchedules } from './table-call-arbitrary.ts';

/** Every call to it throws when the memory table and DynamoDB Local do not answer the same. */
const { table, items, clear } = await openComparedTable(openStoreTable());
const TableName = table.name;
const Key = { pk: 'p1', sk: 'a' };

const get = (key: Record<string, unknown>, names?: Record<string, string>): RandomCall => ({
  operation: 'get',
  input: { TableName, Key: key, ...(names && { ExpressionAttributeNames: names }) },
});
const getOnly = (ProjectionExpression: string, names?: Record<string, string>): RandomCall => ({
  operation: 'get',
  input: {
    ...{ TableName, Key, ProjectionExpression },
    ...(names && { ExpressionAttributeNames: names }),
  },
});
const put = (Item: Record<string, unknown>): RandomCall => ({
  operation: 'put',
  input: { TableName, Item },
});
const putIf = (ConditionExpression: string, more = {}): RandomCall => ({
  operation: 'put',
  input: { TableName, Item: Key, ConditionExpression, ...more },
});
const update = (UpdateExpression: string, values?: Record<string, unknown>): RandomCall => ({
  operation: 'update',
  input: { TableName, Key, UpdateExpression, ...(values && { ExpressionAttributeValues: values }) },
});
const batch = (Keys: Record<string, unknown>[]): RandomCall => ({
  operation: 'batch get',
  input: { RequestItems: { [TableName]: { Keys } } },
});
const batchWrite = (count: number): RandomCall => ({
  operation: 'batch write',
  input: {
    RequestItems: { [TableName]: keys(count).map((Item) => ({ PutRequest: { Item } })) },
  },
});
const query = (input: Partial<QueryCommandInput>): RandomCall => ({
  operation: 'query',
  input: {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': 'p1' },
    ...input,
  },
});
const inIndex = { IndexName: 'gsi1', KeyConditionExpression: 'gsi1pk = :pk' };
const transact = (...TransactItems: TransactWriteItem[]): RandomCall => ({
  operation: 'transact write',
  input: { TransactItems },
});
const transactUnder = (token: string, TransactItems: TransactWriteItem[]): RandomCall => ({
  operation: 'transact write',
  input: { TransactItems, ClientRequestToken: token },
});
const keys = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ pk: 'p1', sk: index === 0 ? 'a' : `a${index}` }));
const puts = (count: number) => keys(count).map((Item) => ({ Put: { TableName, Item } }));

async function deleteAll(): Promise<void> {
  const deletes = items().map(({ pk, sk }) => ({ Delete: { TableName, Key: { pk, sk } } }));
  if (deletes.length === 0) return;
  await table.client.send(new TransactWriteCommand({ TransactItems: deletes }));
}

/** Makes a call, whatever DynamoDB answers to it. Queries are read to the end, transactions repeated. */
async function make(call: RandomCall): Promise<void> {
  if (call.operation === 'query') return readAll(call.input);
  await answered(call);
  if (call.operation === 'transact write' && call.input.ClientRequestToken) await answered(call);
}

async function readAll(input: QueryCommandInput): Promise<void> {
  const page = await answered({ operation: 'query', input });
  const next = page && 'LastEvaluatedKey' in page ? page.LastEvaluatedKey : undefined;
  if (next !== undefined) await readAll({ ...input, ExclusiveStartKey: next });
}

const answered = (call: RandomCall) =>
  send(table, call).catch((error: unknown) => {
    if (!(error instanceof DynamoDBServiceException)) throw error;
  });

beforeEach(deleteAll);

describe('the memory table', () => {
  it('answers random calls as DynamoDB Local does', async () => {
    await fc.assert(
      fc.asyncProperty(tableSchedules(TableName), async (calls) => {
        await deleteAll();
        for (const call of calls) await make(call);
      }),
      { numRuns: 30 },
    );
  });

  it.each<{ what: string; call: RandomCall }>([
    { what: 'an update of the key', call: update('SET pk = :v', { ':v': 'p2' }) },
    { what: 'an update of a path in the key', call: update('REMOVE sk.x') },
    { what: 'a number as the key of an index', call: update('SET gsi1pk = n') },
    { what: 'an empty update', call: update('') },
    { what: 'a section that comes twice', call: update('REMOVE n REMOVE list') },
    { what: 'a value that is not defined', call: update('SET n = :v') },
    { what: 'a value that is not used', call: update('REMOVE n', { ':v': 1 }) },
    { what: 'a value of a wrong name', call: update('SET n = :v', { ':v': 1, v: 1 }) },
    { what: 'no values at all', call: update('REMOVE n', {}) },
    { what: 'a sum of three', call: update('SET n = n + n + n') },
    { what: 'a sum in parentheses', call: update('SET n = (n + n)') },
    { what: 'a function that updates do not have', call: update('SET n = size(list)') },
    { what: 'joined lists that are joined', call: update('SET n = list_append(n, n) + n') },
    { what: 'a reserved word', call: putIf('attribute_exists(status)') },
    { what: 'redundant parentheses', call: putIf('((attribute_exists(n)))') },
    { what: 'parentheses around operands', call: putIf('(n) = (list[0])') },
    { what: 'a function in capitals', call: putIf('ATTRIBUTE_EXISTS(n)') },
    { what: 'a function that is none', call: putIf('exists(n)') },
    { what: 'a function with too much', call: putIf('attribute_exists(n, list)') },
    { what: 'a size that is compared to nothing', call: putIf('size(list)') },
    { what: 'an operand alone', call: putIf('n') },
    { what: 'a condition that is compared', call: putIf('(n = gsi1pk) = n') },
    { what: 'half a condition', call: putIf('attribute_exists(n) AND') },
    { what: 'conditions without a word between', call: putIf('n = list[0] n = list[0]') },
    { what: 'an empty condition', call: putIf('') },
    { what: 'a blank condition', call: putIf(' ') },
    { what: 'a position with a zero before it', call: putIf('attribute_exists(list[00])') },
    { what: 'a put that wants the new values', call: putIf('n > f', { ReturnValues: 'ALL_NEW' }) },
    { what: 'an item without a key', call: put({ pk: 'p1' }) },
    { what: 'an item with a numeric key', call: put({ pk: 'p1', sk: 1 }) },
    { what: 'an item with an empty key', call: put({ pk: 'p1', sk: '' }) },
    {
      what: 'a table that is none',
      call: { operation: 'get', input: { TableName: 'absent', Key } },
    },
    { what: 'half a key', call: get({ pk: 'p1' }) },
    { what: 'more than a key', call: get({ ...Key, n: 1 }) },
    { what: 'a numeric key', call: get({ pk: 'p1', sk: 1 }) },
    { what: 'some attributes', call: getOnly('n, #l, absent', { '#l': 'list' }) },
    { what: 'no attribute that is there', call: getOnly('absent') },
    { what: 'an attribute twice', call: getOnly('n, #n', { '#n': 'n' }) },
    { what: 'a projection of a reserved word', call: getOnly('n, status') },
    { what: 'a name that is not defined', call: getOnly('#n') },
    { what: 'a name that is not used', call: getOnly('n', { '#n': 'n' }) },
    { what: 'names without an expression', call: get(Key, { '#n': 'n' }) },
    { what: 'an empty projection', call: getOnly('') },
    { what: 'half a projection', call: getOnly('n,') },
    {
      what: 'some attributes of each item',
      call: query({ ProjectionExpression: 'n, #s', ExpressionAttributeNames: { '#s': 'sk' } }),
    },
    {
      what: 'a filter by what is not projected',
      call: query({ ProjectionExpression: 'pk', FilterExpression: 'attribute_exists(n)' }),
    },
    { what: 'no keys', call: batch([]) },
    { what: 'too many keys', call: batch(keys(101)) },
    { what: 'as many keys as it may', call: batch(keys(100)) },
    { what: 'a key twice', call: batch([Key, Key]) },
    { what: 'too many writes in a batch', call: batchWrite(26) },
    { what: 'as many writes in a batch as it may', call: batchWrite(25) },
    { what: 'no writes in a batch', call: batchWrite(0) },
    { what: 'no page', call: query({ Limit: 0 }) },
    { what: 'no key condition', call: query({ KeyConditionExpression: undefined }) },
    { what: 'a sort key alone', call: query({ KeyConditionExpression: 'sk = :pk' }) },
    { what: 'partitions in order', call: query({ KeyConditionExpression: 'pk > :pk' }) },
    {
      what: 'one partition or another',
      call: query({ KeyConditionExpression: 'pk = :pk OR n = n' }),
    },
    { what: 'a path in a key', call: query({ KeyConditionExpression: 'pk.x = :pk' }) },
    { what: 'a filter by the key', call: query({ FilterExpression: 'sk = :pk' }) },
    {
      what: 'a start in another partition',
      call: query({ ExclusiveStartKey: { pk: 'p2', sk: 'a' } }),
    },
    { what: 'half a start', call: query({ ExclusiveStartKey: { pk: 'p1' } }) },
    { what: 'an index that is none', call: query({ IndexName: 'gsi3' }) },
    { what: 'a consistent index', call: query({ ...inIndex, ConsistentRead: true }) },
    {
      what: 'a start of the table in an index',
      call: query({ ...inIndex, ExclusiveStartKey: Key }),
    },
    {
      what: 'a filter that an index lacks',
      call: query({ ...inIndex, FilterExpression: 'n = f' }),
    },
    { what: 'a transaction of nothing', call: transact() },
    { what: 'a transaction of too much', call: transact(...puts(101)) },
    { what: 'a transaction of as much as it may', call: transact(...puts(100)) },
    { what: 'an item twice', call: transact({ Delete: { TableName, Key } }, ...puts(1)) },
    { what: 'two things in one', call: transact({ Delete: { TableName, Key }, ...puts(1)[0] }) },
    { what: 'nothing to do with an item', call: transact({}) },
  ])('answers $what as DynamoDB Local does', async ({ call }) => {
    await send(table, put({ ...Key, n: 1, list: [1], gsi1pk: 'p1', gsi1sk: 'a' }));

    await make(call);

    await make(query({}));
  });

  it('takes a token for one transaction only, as DynamoDB Local does', async () => {
    const token = randomUUID();

    await make(transactUnder(token, puts(1)));
    await make(transactUnder(token, puts(2)));

    await make(query({}));
  });

  it('leaves the token of a failed transaction free, as DynamoDB Local does', async () => {
    const token = randomUUID();
    const absent = { TableName, Key, ConditionExpression: 'attribute_exists(pk)' };

    await make(transactUnder(token, [{ ConditionCheck: absent }, ...puts(2).slice(1)]));
    await make(transactUnder(token, puts(1)));

    await make(query({}));
  });
});

type Values = Readonly<Record<string, unknown>>;

describe('an item', () => {
  const item = {
    n: 5,
    half: 0.5,
    s: 'some',
    yes: true,
    nothing: null,
    elements: [1, 'two', { three: 3 }],
    tree: { x: 1, y: { z: 'deep' } },
    letters: new Set(['a', 'b']),
    numbers: new Set([1, 2]),
    bytes: new Uint8Array([1, 2, 3]),
  };

  it.each<[string, Values?]>([
    ['n = :v', { ':v': 5 }],
    ['n = :v', { ':v': '5' }],
    ['n = :v'],
    ['n = n'],
    ['n = ;'],
    ['n <> :v', { ':v': 6 }],
    ['half < n'],
    ['half < n', { ':v': 5 }],
    ['((half < n))'],
    ['half < n OR size(:v) = n', { ':v': 5 }],
    ['n < :v', { ':v': 'text, not number' }],
    ['n <= :v', { ':v': 5 }],
    ['n > :v', { ':v': -10 }],
    ['s >= :v', { ':v': 'somE' }],
    ['yes < :v', { ':v': true }],
    [':emoji > :wide', { ':emoji': '😀', ':wide': '\uffee' }],
    ['absent = :v', { ':v': 5 }],
    ['absent < n'],
    ['absent <> n AND s <> n'],
    ['n BETWEEN :a AND :b', { ':a': 5, ':b': 10 }],
    ['n BETWEEN :a AND :b', { ':a': 1, ':b': 5 }],
    ['n BETWEEN :a AND :b', { ':a': 2, ':b': 1 }],
    ['n BETWEEN absent AND half'],
    ['n IN (:a, :b)', { ':a': 'no', ':b': 5 }],
    ['absent IN (n, absent2)'],
    ['attribute_exists(tree.y.z)'],
    ['attribute_exists(tree.absent.z)'],
    ['attribute_exists(elements[2].three)'],
    ['attribute_not_exists(elements[3])'],
    ['attribute_not_exists(s.x)'],
    ['attribute_type(nothing, :v)', { ':v': 'NULL' }],
    ['attribute_type(absent, :v)', { ':v': 'S' }],
    ['attribute_type(n, :v)', { ':v': 'X' }],
    ['begins_with(s, :v)', { ':v': 'so' }],
    ['begins_with(n, :v)', { ':v': '5' }],
    ['begins_with(bytes, :v)', { ':v': new Uint8Array([1, 2]) }],
    ['contains(s, :v)', { ':v': 'om' }],
    ['contains(s, :v)', { ':v': 5 }],
    ['contains(elements, :v)', { ':v': { three: 3 } }],
    ['contains(numbers, :v)', { ':v': 2 }],
    ['size(s) = :v', { ':v': 4 }],
    ['size(n) < :v', { ':v': 100 }],
    ['size(elements) = size(bytes)'],
    ['elements = :v', { ':v': [1, 'two', { three: 3 }] }],
    ['tree = :v', { ':v': { y: { z: 'deep' }, x: 1 } }],
    ['letters = :v', { ':v': new Set(['b', 'a']) }],
    ['NOT n = :v', { ':v': 6 }],
    ['n = :w OR n = :v AND s <> :w', { ':v': 5, ':w': 6 }],
    ['(n = :w OR n = :v) AND s = :w', { ':v': 5, ':w': 6 }],
    ['not (n = :v) or NOT n <> :v', { ':v': 5 }],
  ])('meets %s with %j where it does in DynamoDB Local', async (ConditionExpression, values) => {
    await send(table, put({ ...item, ...Key }));

    await make(putIf(ConditionExpression, values && { ExpressionAttributeValues: values }));

    await make(query({}));
  });

  const two = { ':two': 2 };

  it.each<[Values, string, Values?]>([
    [{ a: 1, b: 2 }, 'SET a = b, b = a'],
    [{ a: 1 }, 'SET a = a + :two', two],
    [{ a: 0.3, b: 0.1 }, 'SET a = a - b'],
    [{ a: 1 }, 'SET a = if_not_exists(a, :two), b = if_not_exists(b, :two) + :two', two],
    [{ a: [1] }, 'SET a = list_append(a, a)'],
    [{ a: { b: { d: 1 } } }, 'SET a.b.c = :two', two],
    [{ a: [0, 1], b: 5 }, 'SET a[9] = :two, a[7] = b, a[0] = b', two],
    [{ a: [0, 1, 2, 3], b: 1 }, 'REMOVE a[0], a[2], b'],
    [{ a: { b: 1, c: 2 } }, 'REMOVE a.b, absent'],
    [{ a: 1 }, 'ADD a :two, b :two', two],
    [
      { a: new Set(['a']), c: new Set(['b']), d: new Set(['a', 'b']) },
      'ADD a :b, b :b DELETE c :ab, d :b',
      { ':b': new Set(['b']), ':ab': new Set(['a', 'b']) },
    ],
    [{ b: 1, c: 1 }, 'set a = :two remove b add c :two', two],
    [{}, 'SET a = absent'],
    [{ a: 1, s: 'text' }, 'SET a = a + s'],
    [{ a: 1 }, 'SET absent.x = a'],
    [{ s: 'text' }, 'REMOVE s.x'],
    [{ a: 1, s: 'text' }, 'SET a = s REMOVE a'],
    [{}, 'SET a'],
  ])('%j is as DynamoDB Local leaves it after %s', async (before, expression, values) => {
    await send(table, put({ ...before, ...Key }));

    await make(update(expression, values));

    await make(query({}));
  });

  it.each(['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW'] as const)(
    'is answered after an update as DynamoDB Local does, with %s',
    async (ReturnValues) => {
      await send(table, put({ ...Key, a: 1, b: 1 }));
      const UpdateExpression = 'ADD a :two, c :two';

      await make({
        operation: 'update',
        input: {
          ...{ TableName, Key, UpdateExpression, ReturnValues },
          ExpressionAttributeValues: two,
        },
      });
    },
  );
});

describe('a query', () => {
  /** In the order of their UTF-8 bytes, which is not JavaScript's. */
  const sortKeys = ['A', 'a', 'a1', 'b', 'é', '\uffee', '😀'];
  beforeEach(async () => {
    for (const sk of sortKeys.toReversed()) {
      await send(table, put({ ...Key, sk, isLong: sk.length > 1, gsi1pk: 'p1', gsi1sk: 'same' }));
    }
  });

  it.each([
    'sk = :a',
    'sk < :b',
    'sk <= :a',
    'sk > :b',
    ':b <= sk',
    'sk BETWEEN :a AND :b',
    'begins_with(sk, :a)',
  ])('by %s is answered as DynamoDB Local does', async (condition) => {
    const values = Object.entries({ ':a': 'a', ':b': 'b' });
    const named = values.filter(([name]) => condition.includes(name));

    await make(
      query({
        KeyConditionExpression: `pk = :pk AND ${condition}`,
        ExpressionAttributeValues: { ':pk': 'p1', ...Object.fromEntries(named) },
      }),
    );
  });

  it.each<[string, Partial<QueryCommandInput>]>([
    ['backwards', { ScanIndexForward: false }],
    ['page by page', { Limit: 3 }],
    ['page by page past equal sort keys', { ...inIndex, Limit: 2 }],
    ['from a start that is no longer there', { ExclusiveStartKey: { pk: 'p1', sk: 'aa' } }],
    [
      'through a filter',
      {
        FilterExpression: 'isLong = :yes',
        ExpressionAttributeValues: { ':pk': 'p1', ':yes': true },
        Limit: 3,
      },
    ],
    ['only counted', { Select: 'COUNT', Limit: 3 }],
  ])('%s is answered as DynamoDB Local does', async (_how, input) => {
    await make(query(input));
  });

  it.each(['SET gsi1sk = :c', 'REMOVE gsi1sk', 'SET more = :c'])(
    'of an index follows the item as in DynamoDB Local: %s',
    async (expression) => {
      await make(update(expression, expression.includes(':c') ? { ':c': 'c' } : undefined));

      await make(query(inIndex));
    },
  );
});

describe('openComparedTable', () => {
  it('throws from a call to which the two answer differently', async () => {
    await send(table, put(Key));
    clear();

    const asking = send(table, get(Key));

    await expect(asking).rejects.toThrow('the memory table {} to');
  });
});
