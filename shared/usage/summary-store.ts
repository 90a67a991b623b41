import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '#shared/table/keys';
import { getItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import type { UsageEntry } from './counted-changes.ts';
import { markSchema, nothingCounted } from './counter-store.ts';

const countedAsSeen = 'countedThrough = :seen';

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
