import { BatchGetCommand, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { type ItemName, UnreadableItemError } from '#shared/errors/unreadable-item';
import { publishCount } from '#shared/observability/metrics';
import { backOff } from '#shared/timing/backoff';
import type { Key } from './keys.ts';
import { tableIndexes } from './table-attributes.ts';
import type { StoredItem, Table } from './table-client.ts';

/** Strongly consistent, unless an item that may be a moment old is enough: that costs half. */
export async function getItem(
  table: Table,
  key: Key,
  { isConsistent = true } = {},
): Promise<StoredItem | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: isConsistent }),
  );
  return Item;
}

/**
 * An unreadable item raises an alarm.
 *
 * @throws UnreadableItemError
 */
export function readItem<Schema extends z.ZodMiniType>(
  name: ItemName,
  schema: Schema,
  item: unknown,
): z.output<Schema> {
  const read = schema.safeParse(item);
  if (read.success) return read.data;
  publishCount('SchemaMismatch', {});
  throw new UnreadableItemError(name, read.error.issues);
}

/** A whole partition, or only the sort keys with this prefix. */
type ItemRange = { readonly pk: string; readonly skPrefix?: string };

/** In sort key order, strongly consistent. More than one Query only past DynamoDB's 1 MB page. */
export async function queryAll(
  table: Table,
  { pk, skPrefix = '' }: ItemRange,
): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: skPrefix === '' ? inPartition : `${inPartition} AND ${hasPrefix}`,
      ExpressionAttributeValues: { ':pk': pk, ...(skPrefix !== '' && { ':skPrefix': skPrefix }) },
      ConsistentRead: true,
    },
  );
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}

const inPartition = 'pk = :pk';
const hasPrefix = 'begins_with(sk, :skPrefix)';

const maxRounds = 6;
/** DynamoDB's limit. */
const maxKeys = 100;

/**
 * One BatchGetItem for up to 100 keys, several at once for more. Strongly consistent, unless items that may be a moment
 * old are enough: that costs half.
 *
 * @param keys without repetitions.
 * @returns a lookup from key to item, `undefined` where there is none.
 * @throws Error when keys stay unprocessed: an incomplete answer would pass for "not suppressed".
 */
export async function batchGet(
  table: Table,
  keys: readonly Key[],
  { isConsistent = true } = {},
): Promise<(key: Key) => StoredItem | undefined> {
  const found = new Map<string, StoredItem>();
  const starts = Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, n) => n * maxKeys);
  await Promise.all(
    starts.map((start) => readInto(found, table, keys.slice(start, start + maxKeys), isConsistent)),
  );
  return (key) => found.get(nameOf(key));
}

async function readInto(
  found: Map<string, StoredItem>,
  table: Table,
  keys: readonly Key[],
  isConsistent: boolean,
): Promise<void> {
  let pending: readonly StoredItem[] = keys;
  for (let round = 1; pending.length > 0; round += 1) {
    if (round > maxRounds) throw new Error('BatchGetItem left keys unprocessed');
    if (round > 1) await backOff(round - 1, 20, 400);
    const output = await table.client.send(
      new BatchGetCommand({
        RequestItems: { [table.name]: { Keys: [...pending], ConsistentRead: isConsistent } },
      }),
    );
    for (const item of output.Responses?.[table.name] ?? []) found.set(nameOf(item), item);
    pending = output.UnprocessedKeys?.[table.name]?.Keys ?? [];
  }
}

const nameOf = (key: StoredItem): string => `${key['pk']} ${key['sk']}`;

/** Counts in the second index and stops at `most`. Eventually consistent. */
export async function countListed(table: Table, partition: string, most: number): Promise<number> {
  const { name, partitionKey } = tableIndexes.gsi2;
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      IndexName: name,
      Select: 'COUNT',
      KeyConditionExpression: `${partitionKey} = :pk`,
      ExpressionAttributeValues: { ':pk': partition },
    },
  );
  let listed = 0;
  for await (const { Count = 0 } of pages) {
    listed += Count;
    if (listed >= most) break;
  }
  return listed;
}

/** Strongly consistent. */
export async function countItems(table: Table, { pk, skPrefix = '' }: ItemRange): Promise<number> {
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      Select: 'COUNT',
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :skPrefix)',
      ExpressionAttributeValues: { ':pk': pk, ':skPrefix': skPrefix },
      ConsistentRead: true,
    },
  );
  let items = 0;
  for await (const { Count = 0 } of pages) items += Count;
  return items;
}
