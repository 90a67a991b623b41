import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { type ItemName, UnreadableItemError } from '#shared/errors/unreadable-item';
import { publishCount } from '#shared/observability/metrics';
import type { Key } from './keys.ts';
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
