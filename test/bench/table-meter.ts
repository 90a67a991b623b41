import { setTimeout as sleep } from 'node:timers/promises';
import { type AttributeValue, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { tableAttributes } from '#shared/table/table-attributes';
import { startFaultProxy } from '../support/fault-proxy.ts';
import type { Exchange } from '../support/faults.ts';
import {
  type Attributes,
  readUnitsOfItems,
  readUnitsOfQuery,
  storedSizeOf,
  type Write,
  writeUnitsOf,
} from './request-units.ts';

const itemSchema = z.record(z.string(), z.custom<AttributeValue>());

/** One call to DynamoDB, billed as AWS would bill it. */
export type MeteredCall = Interval & {
  readonly operation: string;
  readonly readUnits: number;
  readonly writeUnits: number;
};

export type TableMeter = {
  readonly url: string;
  readonly calls: readonly MeteredCall[];
  /** What the items that were new since the last `clear` take in the table, index entries included. */
  storedBytes(): number;
  clear(): void;
  stop(): Promise<void>;
};

const operations = [
  ...['GetItem', 'BatchGetItem', 'Query'],
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'],
];

/** An answer is held for so many turns of the event loop without a new call: calls made together overlap. */
const quietTurns = 6;
const turnMs = 4;

/**
 * Stands in front of DynamoDB Local and bills every call, by the items before and after it. The SDK's retries aren't
 * billed: how many a busy machine causes says nothing about the code.
 */
export async function startTableMeter(target: string): Promise<TableMeter> {
  const client = new DynamoDBClient({ endpoint: target });
  const proxy = await startFaultProxy({ target });
  const calls: MeteredCall[] = [];
  let newBytes = 0;
  let arrived = 0;

  /** Counts turns, not time: a busy machine may let this process wait for longer than any hold. */
  const hold = async () => {
    let seen = arrived;
    for (let turns = 0; turns < quietTurns; turns += 1) {
      await sleep(turnMs);
      if (arrived !== seen) turns = 0;
      seen = arrived;
    }
  };
  const bill = async (operation: string, exchange: Exchange) => {
    arrived += 1;
    const startedAt = performance.now();
    const planned = writesOf(operation, exchange.body);
    const before = await readAll(client, planned);
    const answer = await exchange.forward();
    const after = await readAll(client, planned);
    await hold();
    const writes = planned.map(({ attempted }, index) => ({
      before: before[index],
      after: after[index],
      attempted,
    }));
    newBytes += writes.reduce(
      (sum, { before: old, after: stored }) => sum + storedSizeOf(stored) - storedSizeOf(old),
      0,
    );
    calls.push({
      operation,
      readUnits: readUnitsOf(operation, exchange.body, answer.body),
      writeUnits: totalOf(writes, operation === 'TransactWriteItems'),
      startedAt,
      endedAt: performance.now(),
    });
    exchange.respond(answer);
  };
  const billed = new Set<string>();
  for (const operation of operations) {
    const action = async (exchange: Exchange) => {
      const { invocationId } = exchange;
      if (invocationId !== undefined && billed.has(invocationId)) {
        return exchange.respond(await exchange.forward());
      }
      if (invocationId !== undefined) billed.add(invocationId);
      return bill(operation, exchange);
    };
    proxy.inject({ operation, times: Number.POSITIVE_INFINITY, action });
  }
  return {
    url: proxy.url,
    calls,
    storedBytes: () => newBytes,
    clear: () => {
      calls.length = 0;
      newBytes = 0;
    },
    stop: async () => {
      client.destroy();
      await proxy.stop();
    },
  };
}

const totalOf = (writes: readonly Write[], isTransactional: boolean): number =>
  writes.reduce((total, write) => total + writeUnitsOf(write, { isTransactional }), 0);

const readAll = (
  client: DynamoDBClient,
  planned: readonly PlannedWrite[],
): Promise<(Attributes | undefined)[]> =>
  Promise.all(
    planned.map(async ({ tableName, key }) => {
      const input = { TableName: tableName, Key: { ...key }, ConsistentRead: true };
      const { Item } = await client.send(new GetItemCommand(input));
      return Item;
    }),
  );

const getShape = z.object({ ConsistentRead: z.boolean().default(false) });
const batchGetShape = z.object({
  RequestItems: z.record(z.string(), getShape.extend({ Keys: z.array(itemSchema) })),
});

const answerShape = z.object({
  Item: itemSchema.optional(),
  Items: z.array(itemSchema).default([]),
  Responses: z.record(z.string(), z.array(itemSchema)).default({}),
});

function readUnitsOf(operation: string, request: unknown, answerText: string): number {
  const answer = answerShape.parse(JSON.parse(answerText));
  switch (operation) {
    case 'GetItem':
      return readUnitsOfItems([answer.Item], getShape.parse(request).ConsistentRead);
    case 'Query':
      return readUnitsOfQuery(answer.Items, getShape.parse(request).ConsistentRead);
    case 'BatchGetItem':
      return Object.entries(batchGetShape.parse(request).RequestItems)
        .map(([table, { Keys, ConsistentRead }]) => {
          const found = answer.Responses[table] ?? [];
          const missing = Array.from({ length: Keys.length - found.length }, () => undefined);
          return readUnitsOfItems([...found, ...missing], ConsistentRead);
        })
        .reduce((total, units) => total + units, 0);
    default:
      return 0;
  }
}

/** When a call was under way, on any clock. */
type Interval = { readonly startedAt: number; readonly endedAt: number };

/** How many of the calls had to wait for one another: the most that no two of which overlap. */
export function longestChain(calls: readonly Interval[]): number {
  const byEnd = [...calls].sort((one, other) => one.endedAt - other.endedAt);
  let length = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of byEnd) {
    if (startedAt < lastEnd) continue;
    length += 1;
    lastEnd = endedAt;
  }
  return length;
}

/** One item that a call is about to write. */
type PlannedWrite = {
  readonly tableName: string;
  readonly key: Attributes;
  /** The whole item, when it is a put. */
  readonly attempted: Attributes | undefined;
};

const put = z.object({ TableName: z.string(), Item: itemSchema });
const keyed = z.object({ TableName: z.string(), Key: itemSchema });
const transaction = z.object({
  TransactItems: z.array(
    z.object({
      Put: put.optional(),
      Update: keyed.optional(),
      Delete: keyed.optional(),
      ConditionCheck: keyed.optional(),
    }),
  ),
});

/** The items that a call to DynamoDB writes, or checks in a transaction, which costs the same. */
function writesOf(operation: string, body: unknown): PlannedWrite[] {
  switch (operation) {
    case 'PutItem':
      return [plannedPut(put.parse(body))];
    case 'UpdateItem':
    case 'DeleteItem':
      return [plannedChange(keyed.parse(body))];
    case 'TransactWriteItems':
      return transaction
        .parse(body)
        .TransactItems.flatMap(({ Put, Update, Delete, ConditionCheck }) => [
          ...(Put ? [plannedPut(Put)] : []),
          ...[Update, Delete, ConditionCheck].flatMap((item) =>
            item ? [plannedChange(item)] : [],
          ),
        ]);
    default:
      return [];
  }
}

const plannedChange = ({ TableName, Key }: z.output<typeof keyed>): PlannedWrite => ({
  tableName: TableName,
  key: Key,
  attempted: undefined,
});

function plannedPut({ TableName, Item }: z.output<typeof put>): PlannedWrite {
  const keyNames: string[] = [tableAttributes.partitionKey, tableAttributes.sortKey];
  const key = Object.fromEntries(Object.entries(Item).filter(([name]) => keyNames.includes(name)));
  return { tableName: TableName, key, attempted: Item };
}
