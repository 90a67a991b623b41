import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { sortableTime } from './keys.ts';
import { keysOf, type List, type ListEntry, newestFirst } from './list-reader.ts';
import type { StoredItem, Table } from './table-client.ts';

/** Below a position or a time (`sortableTime`), and from `since` on: epoch milliseconds. */
type Span = { readonly before?: string | undefined; readonly since?: number | undefined };

export type Round<Position> = {
  /** The next entries of the whole list, newest first: none is missing between them. */
  readonly entries: readonly ListEntry<Position>[];
  readonly isEnd: boolean;
};

type Reading<Position extends string> = {
  readonly list: List<Position>;
  readonly partition: string;
  /** Read, but not yielded: another shard may have newer ones. */
  readonly waiting: readonly ListEntry<Position>[];
  /** How far the shard is read; `undefined` once it is wholly. */
  readonly start: StoredItem | undefined;
  readonly isShort: boolean;
};

/**
 * Reads lists as one, newest first. Each round makes one Query of each shard that has few entries left, all at once,
 * and yields what is newer than the end of the shard that was read least far. The rest waits for the next round, so
 * shards of any size go together, and no entry is read twice.
 *
 * Bounded: a Query reads `sizes` entries, but 1 MB at most, and after a page that DynamoDB ended at 1 MB there is no
 * further round.
 *
 * @param sizes of each round's queries.
 */
export async function* readInRounds<Position extends string>(
  table: Table,
  lists: readonly List<Position>[],
  { before, since = 0 }: Span,
  sizes: readonly number[],
): AsyncGenerator<Round<Position>, void> {
  const range = { low: sortableTime(since), high: before === undefined ? end : justBelow(before) };
  const shards = lists.flatMap((list) => list.partitions.map((partition) => ({ list, partition })));
  let readings: readonly Reading<Position>[] =
    range.low > range.high
      ? []
      : shards.map((shard) => ({ ...shard, waiting: [], start: {}, isShort: false }));
  for (const size of sizes) {
    readings = await Promise.all(readings.map((reading) => readOn(table, reading, range, size)));
    const { entries, rest } = split(readings);
    readings = rest;
    yield {
      entries,
      isEnd: rest.every(({ start, waiting }) => start === undefined && waiting.length === 0),
    };
    if (rest.some(({ isShort }) => isShort)) return;
  }
}

/** Sorts after every position. */
const end = '~';

/** Above all positions below this one: BETWEEN includes its ends. */
const justBelow = (position: string): string =>
  `${position.slice(0, -1)}${String.fromCodePoint((position.codePointAt(position.length - 1) ?? 1) - 1)}${end}`;

type Range = { readonly low: string; readonly high: string };

async function readOn<Position extends string>(
  table: Table,
  reading: Reading<Position>,
  { low, high }: Range,
  size: number,
): Promise<Reading<Position>> {
  const { list, partition, waiting, start } = reading;
  if (start === undefined || waiting.length >= size) return reading;
  const { name, partitionKey, sortKey } = keysOf(list.index);
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...(name === undefined ? { ConsistentRead: true } : { IndexName: name }),
      KeyConditionExpression: `${partitionKey} = :pk AND ${sortKey} BETWEEN :low AND :high`,
      ExpressionAttributeValues: { ':pk': partition, ':low': low, ':high': high },
      ScanIndexForward: false,
      Limit: size,
      ...(Object.keys(start).length > 0 && { ExclusiveStartKey: start }),
    }),
  );
  const read = Items.map((item) => ({ position: list.positionSchema.parse(item[sortKey]), item }));
  return {
    list,
    partition,
    waiting: [...waiting, ...read],
    start: LastEvaluatedKey,
    isShort: LastEvaluatedKey !== undefined && Items.length < size,
  };
}

function split<Position extends string>(readings: readonly Reading<Position>[]) {
  const depth = readings
    .flatMap(({ waiting, start }) => (start === undefined ? [] : (waiting.at(-1)?.position ?? [])))
    .reduce((least, position) => (position > least ? position : least), '');
  const parts = readings.map((reading) => {
    const older = reading.waiting.findIndex(({ position }) => position < depth);
    const complete = older === -1 ? reading.waiting.length : older;
    return { reading, complete };
  });
  return {
    entries: parts
      .flatMap(({ reading, complete }) => reading.waiting.slice(0, complete))
      .sort(newestFirst),
    rest: parts.map(({ reading, complete }) => ({
      ...reading,
      waiting: reading.waiting.slice(complete),
    })),
  };
}
