import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { Key } from '#shared/table/keys';
import { getItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import type { UsageEntry } from './counted-changes.ts';

type Addition = {
  /** The change's position in its shard. */
  readonly sequence: string;
  readonly counts: Readonly<Record<string, number>>;
};

type CounterItem = {
  readonly key: Key;
  readonly attributes: Readonly<Record<string, string | number>>;
};

const nothingCounted = 'attribute_not_exists(countedThrough)';
const noneOfThemCounted = 'countedThrough < :first';
const countedAsSeen = 'countedThrough = :seen';

const markSchema = z.object({ countedThrough: z.string() });

/**
 * Counts each change once, however often it comes: one UpdateItem writes both the counters and the mark up to which
 * they count.
 *
 * @returns the item afterwards.
 */
export async function countOnce(
  table: Table,
  item: CounterItem,
  additions: readonly Addition[],
): Promise<StoredItem> {
  let left = additions;
  for (;;) {
    const { added, stored } = await add(table, item, left);
    if (added) return stored;
    const { countedThrough } = markSchema.parse(stored);
    // At least the first is at or below the mark, so this ends.
    left = additionsAfter(left, countedThrough);
    if (left.length === 0) return stored;
  }
}

async function add(
  table: Table,
  { key, attributes }: CounterItem,
  additions: readonly Addition[],
): Promise<{ readonly added: boolean; readonly stored: StoredItem }> {
  const sums = sumsOf(additions);
  const names = [...Object.keys(attributes), ...sums.keys()];
  const sets = Object.keys(attributes).map((name) => `#${name} = :${name}`);
  try {
    const { Attributes = {} } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: key,
        UpdateExpression: `SET ${['countedThrough = :last', ...sets].join(', ')} ADD ${[
          ...sums.keys(),
        ]
          .map((name) => `#${name} :${name}`)
          .join(', ')}`,
        ConditionExpression: `${nothingCounted} OR ${noneOfThemCounted}`,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ':first': additions[0]?.sequence,
          ':last': additions.at(-1)?.sequence,
          ...Object.fromEntries(
            [...Object.entries(attributes), ...sums].map(([name, value]) => [`:${name}`, value]),
          ),
        },
      }),
    );
    return { added: true, stored: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { added: false, stored: unmarshall(error.Item ?? {}) };
  }
}

/**
 * Lambda first delivers a shard's changes in order; repeats may come in any order (Lambda guide,
 * "services-ddb-windows"). So any change at or below the mark is a repeat.
 */
const additionsAfter = (additions: readonly Addition[], mark: string): Addition[] =>
  additions.filter(({ sequence }) => sequence > mark);

function sumsOf(additions: readonly Addition[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { counts } of additions) {
    for (const [name, count] of Object.entries(counts)) {
      if (count !== 0) sums.set(name, (sums.get(name) ?? 0) + count);
    }
  }
  return sums;
}

/** Each part names at most `most` things: an expression has 4 KB (DynamoDB developer guide, "Quotas"). */
export function partsOf<Entry>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  maxNames: number,
): readonly (readonly Entry[])[] {
  const parts: Entry[][] = [];
  let names = new Set<string>();
  for (const entry of entries) {
    names.add(nameOf(entry));
    if (parts.length === 0 || names.size > maxNames) {
      parts.push([]);
      names = new Set([nameOf(entry)]);
    }
    parts.at(-1)?.push(entry);
  }
  return parts;
}

/** An item with a mark up to which it counts. */
type SummaryItem<Summary> = {
  readonly key: Key;
  readonly none: Summary;
  readonly read: (item: StoredItem) => Summary;
  readonly add: (summary: Summary, entries: readonly UsageEntry[]) => Summary;
  readonly attributesOf: (summary: Summary) => StoredItem;
};

/**
 * Counts each change once, however often it comes. A summary can't be incremented blindly, so it's read, and written
 * only if it hasn't changed since.
 */
export async function addToSummary<Summary>(
  table: Table,
  { key, none, read, add, attributesOf }: SummaryItem<Summary>,
  entries: readonly UsageEntry[],
): Promise<void> {
  for (;;) {
    const item = await getItem(table, key);
    const mark = item && markSchema.parse(item).countedThrough;
    const left = entries.filter(({ sequence }) => mark === undefined || sequence > mark);
    const countedThrough = left.at(-1)?.sequence;
    if (countedThrough === undefined) return;
    const put = new PutCommand({
      TableName: table.name,
      Item: { ...key, countedThrough, ...attributesOf(add(item ? read(item) : none, left)) },
      ConditionExpression: mark === undefined ? nothingCounted : countedAsSeen,
      ...(mark !== undefined && { ExpressionAttributeValues: { ':seen': mark } }),
    });
    const { written } = await writeIf(() => table.client.send(put));
    if (written) return;
  }
}
