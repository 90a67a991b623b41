import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { openMemoryTable } from './memory-table.ts';

const { table } = openMemoryTable();
const Key = { pk: 'p', sk: 's' };
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

type Values = Readonly<Record<string, unknown>>;

/** Whether the item meets the condition. */
async function meets(condition: string, values?: Values, names?: Record<string, string>) {
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...item, ...Key } }));
  const deletion = new DeleteCommand({
    TableName: table.name,
    Key,
    ConditionExpression: condition,
    ...(values && { ExpressionAttributeValues: { ...values } }),
    ...(names && { ExpressionAttributeNames: names }),
  });
  try {
    await table.client.send(deletion);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

type Case = { condition: string; values?: Values };

describe('a condition', () => {
  it.each<Case>([
    { condition: 'n = :v', values: { ':v': 5 } },
    { condition: 'n <> :v', values: { ':v': 6 } },
    { condition: 'half < n' },
    { condition: 'n <= :v', values: { ':v': 5 } },
    { condition: 'n > :v', values: { ':v': -10 } },
    { condition: 's >= :v', values: { ':v': 'somE' } },
    { condition: 'n BETWEEN :low AND :high', values: { ':low': 5, ':high': 10 } },
    { condition: 'n IN (:a, :b)', values: { ':a': 'no', ':b': 5 } },
    { condition: 'attribute_exists(tree.y.z)' },
    { condition: 'attribute_exists(elements[2].three)' },
    { condition: 'attribute_not_exists(elements[3])' },
    { condition: 'attribute_not_exists(s.x)' },
    { condition: 'attribute_type(nothing, :v)', values: { ':v': 'NULL' } },
    { condition: 'begins_with(s, :v)', values: { ':v': 'so' } },
    { condition: 'begins_with(bytes, :v)', values: { ':v': new Uint8Array([1, 2]) } },
    { condition: 'contains(s, :v)', values: { ':v': 'om' } },
    { condition: 'contains(elements, :v)', values: { ':v': { three: 3 } } },
    { condition: 'contains(numbers, :v)', values: { ':v': 2 } },
    { condition: 'size(s) = :v', values: { ':v': 4 } },
    { condition: 'size(elements) = size(bytes)' },
    { condition: 'elements = :v', values: { ':v': [1, 'two', { three: 3 }] } },
    { condition: 'tree = :v', values: { ':v': { y: { z: 'deep' }, x: 1 } } },
    { condition: 'letters = :v', values: { ':v': new Set(['b', 'a']) } },
    { condition: 'NOT n = :v', values: { ':v': 6 } },
    { condition: 'n = :w OR n = :v AND s <> :w', values: { ':v': 5, ':w': 6 } },
    { condition: 'not (n = :v) or NOT n <> :v', values: { ':v': 5 } },
  ])('holds: $condition', async ({ condition, values }) => {
    expect(await meets(condition, values)).toBe(true);
  });

  it.each<Case>([
    { condition: 'n < :v', values: { ':v': 'text, not number' } },
    { condition: 'n = :v', values: { ':v': '5' } },
    { condition: 'absent = :v', values: { ':v': 5 } },
    { condition: 'absent < n' },
    { condition: 'n BETWEEN absent AND half' },
    { condition: 'absent IN (n, absent2)' },
    { condition: 'attribute_exists(tree.absent.z)' },
    { condition: 'attribute_type(absent, :v)', values: { ':v': 'S' } },
    { condition: 'begins_with(n, :v)', values: { ':v': '5' } },
    { condition: 'contains(s, :v)', values: { ':v': 5 } },
    { condition: 'size(n) < :v', values: { ':v': 100 } },
    { condition: '(n = :w OR n = :v) AND s = :w', values: { ':v': 5, ':w': 6 } },
  ])('does not hold: $condition', async ({ condition, values }) => {
    expect(await meets(condition, values)).toBe(false);
  });

  it('differs from what is missing or of another type', async () => {
    expect(await meets('absent <> n AND s <> n')).toBe(true);
  });

  it('orders texts by their UTF-8 bytes', async () => {
    expect(await meets(':emoji > :wide', { ':emoji': '😀', ':wide': '\uffee' })).toBe(true);
  });

  it('takes names from placeholders', async () => {
    expect(
      await meets('#a.#b.#c = :v', { ':v': 'deep' }, { '#a': 'tree', '#b': 'y', '#c': 'z' }),
    ).toBe(true);
  });

  it.each<Case & { fault: string }>([
    { fault: 'a value is not defined', condition: 'n = :v' },
    { fault: 'a value is not used', condition: 'half < n', values: { ':v': 5 } },
    { fault: 'a name is reserved', condition: 'status = :v', values: { ':v': 5 } },
    { fault: 'a type has no order', condition: 'yes < :v', values: { ':v': true } },
    {
      fault: 'a range is upside down',
      condition: 'n BETWEEN :a AND :b',
      values: { ':a': 2, ':b': 1 },
    },
    { fault: 'an attribute is compared to itself', condition: 'n = n' },
    { fault: 'parentheses are redundant', condition: '((half < n))' },
    { fault: 'a type has no such name', condition: 'attribute_type(n, :v)', values: { ':v': 'X' } },
    {
      fault: 'a part that does not decide is wrong',
      condition: 'half < n OR size(:v) = n',
      values: { ':v': 5 },
    },
    { fault: 'it is no expression', condition: 'n = ;' },
  ])('is refused when $fault', async ({ condition, values }) => {
    await expect(meets(condition, values)).rejects.toMatchObject({ name: 'ValidationException' });
  });
});
