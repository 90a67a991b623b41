import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { tableAttributes, tableIndexes } from './table-attributes.ts';
import type { StoredItem, Table } from './table-client.ts';

type ListIndex = keyof typeof tableIndexes | 'table';

/** A list by time, as the table or an index keeps it. `list-position.ts` says how many entries a page has. */
export type List<Position extends string> = {
  readonly index: ListIndex;
  /** The partitions that hold the list: several where one would become too hot. */
  readonly partitions: readonly string[];
  readonly positionSchema: z.ZodMiniType<Position>;
};

/** Where to begin: with the newest entry, or below a position or a time (`sortableTime`). */
export type ListRange<Position = string> = {
  readonly before: Position | undefined;
  readonly limit: number;
};

/**
 * An entry of the list. An item of an index has keys only, and may be deleted by now; one of either may be
 * expired.
 */
export type ListEntry<Position> = { readonly position: Position; readonly item: StoredItem };

export type ListPage<Position> = {
  readonly entries: readonly ListEntry<Position>[];
  /** Where the next page begins; `undefined` at the end of the list. */
  readonly next: Position | undefined;
};

/** Reads a page of a list, newest first. It reads one entry more, so no page is empty at the end. */
export async function readListPage<Position extends string>(
  table: Table,
  list: List<Position>,
  { before, limit }: ListRange<Position>,
): Promise<ListPage<Position>> {
  const entries = await readListEntries(table, list, { before, limit: limit + 1 });
  const shown = entries.slice(0, limit);
  return { entries: shown, next: entries.length > limit ? shown.at(-1)?.position : undefined };
}

/**
 * Reads at most `limit` entries of a list, newest first. Each partition is asked for that many, since all
 * of them may stand in one.
 *
 * The index is eventually consistent: an entry of the last moments may be missing, and one that has left
 * the index may still be there (DynamoDB developer guide, "Global secondary indexes").
 */
export async function readListEntries<Position extends string>(
  table: Table,
  { index, partitions, positionSchema }: List<Position>,
  { before, limit }: ListRange,
): Promise<ListEntry<Position>[]> {
  const { sortKey } = keysOf(index);
  const parts = await Promise.all(
    partitions.map((partition) => queryPartition(table, index, partition, before ?? end, limit)),
  );
  return parts
    .flat()
    .map((item) => ({ position: positionSchema.parse(item[sortKey]), item }))
    .sort((one, other) => (one.position < other.position ? 1 : -1))
    .slice(0, limit);
}

const keysOf = (index: ListIndex) =>
  index === 'table' ? { ...tableAttributes, name: undefined } : tableIndexes[index];

/** Sorts after every position. */
const end = '~';

async function queryPartition(
  table: Table,
  index: ListIndex,
  partition: string,
  before: string,
  limit: number,
): Promise<StoredItem[]> {
  const { name, partitionKey, sortKey } = keysOf(index);
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      // An index cannot be read consistently.
      ...(name === undefined ? { ConsistentRead: true } : { IndexName: name }),
      KeyConditionExpression: `${partitionKey} = :pk AND ${sortKey} < :before`,
      ExpressionAttributeValues: { ':pk': partition, ':before': before },
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  return Items;
}
