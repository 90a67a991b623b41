import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { tableAttributes, tableIndexes } from './table-attributes.ts';
import type { StoredItem, Table } from './table-client.ts';

type ListIndex = keyof typeof tableIndexes | 'table';

/** A list in the table or an index. `list-position.ts` limits its pages. */
export type List<Position extends string> = {
  readonly index: ListIndex;
  /** Several if a single one would get too hot. */
  readonly partitions: readonly string[];
  readonly positionSchema: z.ZodMiniType<Position>;
};

/** Starts at the newest entry, or below a position or a time (`sortableTime`). */
export type ListRange<Position = string> = {
  readonly before: Position | undefined;
  readonly limit: number;
};

/** An index entry has keys and what its index projects, and its item may be deleted by now. Either may be expired. */
export type ListEntry<Position> = { readonly position: Position; readonly item: StoredItem };

/** Newest first. Reads one extra entry, so that the last page isn't empty. */
export async function readListPage<Position extends string>(
  table: Table,
  list: List<Position>,
  { before, limit }: ListRange<Position>,
) {
  const entries = await readListEntries(table, list, { before, limit: limit + 1 });
  const shown = entries.slice(0, limit);
  return { entries: shown, next: entries.length > limit ? shown.at(-1)?.position : undefined };
}

/**
 * Newest first. Each partition is asked for the full number, because one may hold all of them.
 *
 * The index is eventually consistent: a recent entry may be missing, and one that was removed may still be there
 * (DynamoDB developer guide, "Global secondary indexes").
 */
export async function readListEntries<Position extends string>(
  table: Table,
  list: List<Position>,
  { before, limit }: ListRange,
): Promise<ListEntry<Position>[]> {
  const range = { from: before ?? end, limit };
  const entries = await readPartitions(table, list, range, 'older');
  return entries.toSorted(newestFirst).slice(0, limit);
}

/** The entries nearest to the position, newest first. */
export async function readNewerEntries<Position extends string>(
  table: Table,
  list: List<Position>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ListEntry<Position>[]> {
  const entries = await readPartitions(table, list, { from: after, limit }, 'newer');
  return entries.toSorted(newestFirst).slice(-limit);
}

export const newestFirst = (one: ListEntry<string>, other: ListEntry<string>): number =>
  one.position < other.position ? 1 : -1;

type Stretch = { readonly from: string; readonly limit: number };
type Direction = 'older' | 'newer';

async function readPartitions<Position extends string>(
  table: Table,
  { index, partitions, positionSchema }: List<Position>,
  stretch: Stretch,
  direction: Direction,
): Promise<ListEntry<Position>[]> {
  const { sortKey } = keysOf(index);
  const parts = await Promise.all(
    partitions.map((partition) => queryPartition(table, index, partition, stretch, direction)),
  );
  return parts.flat().map((item) => ({ position: positionSchema.parse(item[sortKey]), item }));
}

export const keysOf = (index: ListIndex) =>
  index === 'table' ? { ...tableAttributes, name: undefined } : tableIndexes[index];

/** Sorts after every position. */
const end = '~';

/** A page of large items is short: DynamoDB ends it at 1 MB. */
async function queryPartition(
  table: Table,
  index: ListIndex,
  partition: string,
  { from, limit }: Stretch,
  direction: Direction,
): Promise<StoredItem[]> {
  const { name, partitionKey, sortKey } = keysOf(index);
  const items: StoredItem[] = [];
  let start: StoredItem | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        // An index can't be read consistently.
        ...(name === undefined ? { ConsistentRead: true } : { IndexName: name }),
        KeyConditionExpression: `${partitionKey} = :pk AND ${sortKey} ${direction === 'older' ? '<' : '>'} :from`,
        ExpressionAttributeValues: { ':pk': partition, ':from': from },
        ScanIndexForward: direction === 'newer',
        Limit: limit - items.length,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    items.push(...Items);
    start = LastEvaluatedKey;
  } while (start !== undefined && items.length < limit);
  return items;
}
