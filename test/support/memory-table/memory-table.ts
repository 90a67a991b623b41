import {
  DynamoDBClient,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { constructStack } from '@smithy/core/client';
import { tableAttributes } from '#shared/table/table-attributes';
import type { StoredItem, Table } from '#shared/table/table-client';
import { batchWriteItem } from './batch-write.ts';
import { compareNumbers } from './decimal-numbers.ts';
import { query } from './queries.ts';
import { batchGetItem, getItem, type IsStale } from './reads.ts';
import { noSuchTable } from './refusals.ts';
import { deleteItem, putItem, updateItem } from './single-writes.ts';
import { createStoredItems, type StoredItems } from './stored-items.ts';
import { callOf, type TableAnswer, type TableCall } from './table-call.ts';
import { type MadeTransactions, transactWriteItems } from './transactions.ts';

/**
 * Stands between the service and the table. `run` makes the call, whole and before it returns; its
 * promise is DynamoDB's answer or error. Whoever intercepts may wait before it or after it, throw in
 * place of the call or of its answer, and run it more than once.
 */
export type Intercept = (call: TableCall, run: () => Promise<TableAnswer>) => Promise<TableAnswer>;

export type MemoryTableOptions = {
  readonly name?: string;
  readonly intercept?: Intercept;
  readonly isStale?: IsStale;
};

export type MemoryTable = {
  readonly table: Table;
  /** Opens it with a client of its own, as another process does. */
  open(): Table;
  /** All items as they are now, in no certain order. */
  items(): StoredItem[];
  /** Deletes what DynamoDB would at some time after this one, in epoch seconds. */
  deleteExpired(nowSeconds: number): void;
  /** Forgets items and transactions. */
  clear(): void;
};

/**
 * Opens a table in memory that answers as DynamoDB does. It does not wait for anything: a call takes
 * some microtasks, unless it is intercepted.
 */
export function openMemoryTable({
  name = 'memory-table',
  intercept,
  isStale = () => false,
}: MemoryTableOptions = {}): MemoryTable {
  const items = createStoredItems();
  const made: MadeTransactions = new Map();
  const run = async (call: TableCall): Promise<TableAnswer> => {
    requireTable(call, name);
    return answer(call, items, made, isStale);
  };
  const open = (): Table => ({
    client: createClient((call) => (intercept ? intercept(call, () => run(call)) : run(call))),
    name,
  });
  return {
    table: open(),
    open,
    items: () => items.all().map((item) => unmarshall({ ...item })),
    deleteExpired: (nowSeconds) => deleteExpired(items, nowSeconds),
    clear: () => {
      items.clear();
      made.clear();
    },
  };
}

function answer(
  call: TableCall,
  items: StoredItems,
  made: MadeTransactions,
  isStale: IsStale,
): TableAnswer {
  switch (call.operation) {
    case 'GetItem':
      return getItem(items, call.input, isStale);
    case 'BatchGetItem':
      return batchGetItem(items, call.input, isStale);
    case 'Query':
      return query(items, call.input);
    case 'PutItem':
      return putItem(items, call.input);
    case 'UpdateItem':
      return updateItem(items, call.input);
    case 'DeleteItem':
      return deleteItem(items, call.input);
    case 'BatchWriteItem':
      return batchWriteItem(items, call.input);
    case 'TransactWriteItems':
      return transactWriteItems(items, made, call.input);
  }
}

function requireTable(call: TableCall, name: string): void {
  const named = tablesOf(call);
  if (named.some((table) => table !== name)) throw noSuchTable();
}

function tablesOf({ operation, input }: TableCall): (string | undefined)[] {
  switch (operation) {
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.keys(input.RequestItems ?? {});
    case 'TransactWriteItems':
      return (input.TransactItems ?? []).flatMap((item) =>
        Object.values(item).map(({ TableName }) => TableName),
      );
    default:
      return [input.TableName];
  }
}

function deleteExpired(items: StoredItems, nowSeconds: number): void {
  const { partitionKey, sortKey, timeToLive } = tableAttributes;
  for (const { [partitionKey]: pk, [sortKey]: sk, [timeToLive]: expiry } of items.all()) {
    const hasExpired = expiry?.N !== undefined && compareNumbers(expiry.N, String(nowSeconds)) < 0;
    if (hasExpired && pk?.S !== undefined && sk?.S !== undefined) {
      items.set({ pk: pk.S, sk: sk.S }, undefined);
    }
  }
}

/** Making one takes as long as twenty calls, so all tables have it in common, each with steps of its own. */
const sdkClient = new DynamoDBClient({
  region: 'memory',
  endpoint: 'http://memory',
  credentials: { accessKeyId: 'memory', secretAccessKey: 'memory' },
});

/**
 * The SDK's own client with two steps only, in place of all that serializes, signs, sends and retries.
 * The document client hangs its marshalling before the one and its unmarshalling before the other.
 */
function createClient(answerTo: (call: TableCall) => Promise<TableAnswer>) {
  const stack = constructStack<ServiceInputTypes, ServiceOutputTypes>();
  stack.add((next) => next, { step: 'serialize', name: 'serializerMiddleware' });
  stack.add(
    (_next, context) => async (args) => ({
      output: await answerTo(callOf(context.commandName, args.input)),
      response: undefined,
    }),
    { step: 'deserialize', name: 'deserializerMiddleware' },
  );
  sdkClient.middlewareStack = withoutEndpoint(stack);
  return DynamoDBDocumentClient.from(sdkClient, {
    marshallOptions: { removeUndefinedValues: true },
  });
}

type Stack<Input extends object, Output extends object> = ReturnType<
  typeof constructStack<Input, Output>
>;

/** Each command brings a step that finds its endpoint. It takes half the time of a call here. */
function withoutEndpoint<Input extends object, Output extends object>(
  stack: Stack<Input, Output>,
): Stack<Input, Output> {
  stack.remove('endpointV2Middleware');
  return { ...stack, concat: (from) => withoutEndpoint(stack.concat(from)) };
}
