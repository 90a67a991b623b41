import { randomUUID } from 'node:crypto';
import { inspect, isDeepStrictEqual } from 'node:util';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Table } from '#shared/table/table-client';
import { canonicalNumber } from './decimal-numbers.ts';
import { compareTexts, toHex } from './item-values.ts';
import { type Intercept, type MemoryTable, openMemoryTable } from './memory-table.ts';
import type { TableAnswer, TableCall } from './table-call.ts';

export type ComparedTableOptions = { readonly intercept?: Intercept };

/**
 * Opens a table whose every call goes to a memory table and to a table of DynamoDB Local, one call
 * after the other. It answers as DynamoDB Local does.
 *
 * @param pattern A table of DynamoDB Local. The new one is empty and has the same keys and indexes.
 * @throws Error from a call to which the two do not answer the same.
 */
export async function openComparedTable(
  pattern: Table,
  { intercept }: ComparedTableOptions = {},
): Promise<MemoryTable> {
  const judge = await createTableLike(pattern);
  const inTurn = createQueue();
  return openMemoryTable({
    name: judge.name,
    intercept: (call, run) => {
      const runBoth = () => inTurn(() => compare(call, run, judge));
      return intercept ? intercept(call, runBoth) : runBoth();
    },
  });
}

async function createTableLike({ client, name }: Table): Promise<Table> {
  const { Table: like } = await client.send(new DescribeTableCommand({ TableName: name }));
  const TableName = `compared-${randomUUID()}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: like?.AttributeDefinitions,
      KeySchema: like?.KeySchema,
      GlobalSecondaryIndexes: like?.GlobalSecondaryIndexes?.map(
        ({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }),
      ),
    }),
  );
  return { client, name: TableName };
}

/** Makes one thing after the other, in the order of asking. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

async function compare(
  call: TableCall,
  run: () => Promise<TableAnswer>,
  judge: Table,
): Promise<TableAnswer> {
  const [ours, theirs] = await Promise.allSettled([run(), ask(judge, call)]);
  const [answered, expected] = [essenceOf(ours, judge), essenceOf(theirs, judge)];
  if (!isDeepStrictEqual(answered, expected)) {
    const show = (value: unknown) => inspect(value, { depth: 20 });
    throw new Error(
      `DynamoDB answers ${show(expected)}, the memory table ${show(answered)} to ${show(call)}`,
      { cause: ours.status === 'rejected' ? ours.reason : undefined },
    );
  }
  if (theirs.status === 'rejected') throw theirs.reason;
  return theirs.value;
}

function ask({ client }: Table, { operation, input }: TableCall): Promise<TableAnswer> {
  switch (operation) {
    case 'GetItem':
      return client.send(new GetItemCommand(input));
    case 'BatchGetItem':
      return client.send(new BatchGetItemCommand(input));
    case 'Query':
      return client.send(new QueryCommand(input));
    case 'PutItem':
      return client.send(new PutItemCommand(input));
    case 'UpdateItem':
      return client.send(new UpdateItemCommand(input));
    case 'DeleteItem':
      return client.send(new DeleteItemCommand(input));
    case 'BatchWriteItem':
      return client.send(new BatchWriteItemCommand(input));
    case 'TransactWriteItems':
      return client.send(new TransactWriteItemsCommand(input));
  }
}

/** What a caller may rely on: no wording of errors, and no order where DynamoDB promises none. */
function essenceOf(outcome: PromiseSettledResult<TableAnswer>, { name }: Table): unknown {
  const unordered = new Set(['SS', 'NS', 'BS', name]);
  if (outcome.status === 'fulfilled') {
    const { $metadata, ...answer } = outcome.value;
    return simplify({ ...answer, ConsumedCapacity: undefined }, unordered);
  }
  const { reason: error } = outcome;
  if (error instanceof TransactionCanceledException) {
    const reasons = error.CancellationReasons?.map(({ Code, Item }) => ({ Code, Item }));
    return simplify({ error: error.name, reasons }, unordered);
  }
  const item = error instanceof ConditionalCheckFailedException ? error.Item : undefined;
  return simplify({ error: error instanceof Error ? error.name : error, item }, unordered);
}

function simplify(value: unknown, unordered: ReadonlySet<string>, name = ''): unknown {
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) {
    const members = value.map((member) => simplify(member, unordered, name));
    return unordered.has(name) ? members.sort(byText) : members;
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .sort(byText)
        .map(([member, inner]) => [member, simplify(inner, unordered, member)]),
    );
  }
  const isNumber = typeof value === 'string' && (name === 'N' || name === 'NS');
  return isNumber ? canonicalNumber(value) : value;
}

const byText = (one: unknown, other: unknown): number =>
  compareTexts(JSON.stringify(one), JSON.stringify(other));
