import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { openMemoryTable } from './memory-table.ts';

const { table, clear } = openMemoryTable();
const TableName = table.name;
const Key = { pk: 'p', sk: 's' };

type Attributes = Readonly<Record<string, unknown>>;

const put = (attributes: Attributes) =>
  table.client.send(new PutCommand({ TableName, Item: { ...attributes, ...Key } }));

async function stored() {
  const { Item } = await table.client.send(new GetCommand({ TableName, Key }));
  return Item;
}

const update = (expression: string, values: Attributes | undefined, more = {}) =>
  table.client.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: expression,
      ...(values && { ExpressionAttributeValues: { ...values } }),
      ...more,
    }),
  );

type Case = {
  readonly expression: string;
  readonly values?: Attributes;
  readonly before: Attributes;
  readonly after: Attributes;
};

const two = { ':two': 2 };
const letters = { ':b': new Set(['b']), ':ab': new Set(['a', 'b']) };
const onlyA = new Set(['a']);

beforeEach(clear);

describe('an update', () => {
  it.each<Case>([
    { expression: 'SET a = b, b = a', before: { a: 1, b: 2 }, after: { a: 2, b: 1 } },
    { expression: 'SET a = a + :two', values: two, before: { a: 1 }, after: { a: 3 } },
    { expression: 'SET a = a - b', before: { a: 0.3, b: 0.1 }, after: { a: 0.2, b: 0.1 } },
    {
      expression: 'SET a = if_not_exists(a, :two), b = if_not_exists(b, :two) + :two',
      values: two,
      before: { a: 1 },
      after: { a: 1, b: 4 },
    },
    { expression: 'SET a = list_append(a, a)', before: { a: [1] }, after: { a: [1, 1] } },
    {
      expression: 'SET a.b.c = :two',
      values: two,
      before: { a: { b: { d: 1 } } },
      after: { a: { b: { c: 2, d: 1 } } },
    },
    {
      expression: 'SET a[9] = :two, a[7] = b, a[0] = b',
      values: two,
      before: { a: [0, 1], b: 5 },
      after: { a: [5, 1, 5, 2], b: 5 },
    },
    { expression: 'REMOVE a[0], a[2], b', before: { a: [0, 1, 2, 3], b: 1 }, after: { a: [1, 3] } },
    { expression: 'REMOVE a.b, absent', before: { a: { b: 1, c: 2 } }, after: { a: { c: 2 } } },
    { expression: 'ADD a :two, b :two', values: two, before: { a: 1 }, after: { a: 3, b: 2 } },
    {
      expression: 'ADD a :b, b :b DELETE c :ab, d :b',
      values: letters,
      before: { a: onlyA, c: letters[':b'], d: letters[':ab'] },
      after: { a: letters[':ab'], b: letters[':b'], d: onlyA },
    },
    {
      expression: 'set a = :two remove b add c :two',
      values: two,
      before: { b: 1, c: 1 },
      after: { a: 2, c: 3 },
    },
  ])('makes every change to the item as it was: $expression', async (example) => {
    await put(example.before);

    await update(example.expression, example.values);

    expect(await stored()).toEqual({ ...example.after, ...Key });
  });

  it('creates the item that is not there', async () => {
    await update('ADD a :two', two);

    expect(await stored()).toEqual({ a: 2, ...Key });
  });

  it('leaves no item behind when its condition fails', async () => {
    const request = update('ADD a :two', two, { ConditionExpression: 'attribute_exists(pk)' });

    await expect(request).rejects.toThrow('The conditional request failed');
    expect(await stored()).toBeUndefined();
  });

  it.each([
    { wanted: 'NONE', answer: undefined },
    { wanted: 'ALL_OLD', answer: { a: 1, b: 1, ...Key } },
    { wanted: 'UPDATED_OLD', answer: { a: 1 } },
    { wanted: 'ALL_NEW', answer: { a: 3, b: 1, c: 2, ...Key } },
    { wanted: 'UPDATED_NEW', answer: { a: 3, c: 2 } },
  ])('answers with the attributes that are wanted: $wanted', async ({ wanted, answer }) => {
    await put({ a: 1, b: 1 });

    const output = await update('ADD a :two, c :two', two, { ReturnValues: wanted });

    expect(output.Attributes).toEqual(answer);
  });

  it.each([
    { fault: 'an operand is missing', expression: 'SET a = absent' },
    { fault: 'an operand is of a wrong type', expression: 'SET a = a + s' },
    { fault: 'a path leads nowhere', expression: 'SET absent.x = a' },
    { fault: 'a path leads through a text', expression: 'REMOVE s.x' },
    { fault: 'paths overlap', expression: 'SET a = s REMOVE a' },
    { fault: 'it changes the key', expression: 'SET sk = s' },
    { fault: 'it makes a key of an index a number', expression: 'SET gsi1pk = a' },
    { fault: 'it is no expression', expression: 'SET a' },
  ])('is refused when $fault, and changes nothing', async ({ expression }) => {
    await put({ a: 1, s: 'text' });

    const request = update(expression, undefined);

    await expect(request).rejects.toMatchObject({ name: 'ValidationException' });
    expect(await stored()).toEqual({ a: 1, s: 'text', ...Key });
  });
});
