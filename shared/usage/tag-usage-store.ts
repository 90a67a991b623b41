import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { tagUsageKey, tagUsageOf } from '#shared/table/keys';
import { queryAll } from '#shared/table/query-all';
import { readItem } from '#shared/table/read-item';
import { writeIf } from '#shared/table/single-write';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Month } from './month.ts';
import { addTags, noTags, sumTags, type TagSummary } from './tag-summary.ts';
import type { UsageTally } from './usage-tally.ts';

const nothingCounted = 'attribute_not_exists(countedThrough)';
const countedAsSeen = 'countedThrough = :seen';

export function openTagUsageStore(table: Table) {
  /**
   * Counts the tags of one organization's sends in a month, from one shard. Each change counts once, however often it
   * comes: the item has the mark up to which it counts. A summary can't be added to blindly, so it is read, and written
   * only if nobody else has counted since.
   */
  async function add(shardId: string, { organizationId, month, entries }: UsageTally) {
    const key = tagUsageKey(organizationId, month, shardId);
    const tagged = entries.filter(({ tags = [] }) => tags.length > 0);
    for (;;) {
      const before = await get(key);
      const mark = before?.countedThrough;
      const left = tagged.filter(({ sequence }) => mark === undefined || sequence > mark);
      const countedThrough = left.at(-1)?.sequence;
      if (countedThrough === undefined) return;
      const tags = left.flatMap((entry) => entry.tags ?? []);
      const summary = addTags(before ? summaryOf(before) : noTags, tags);
      const put = new PutCommand({
        TableName: table.name,
        Item: { ...key, month, countedThrough, ...attributesOf(summary) },
        ConditionExpression: mark === undefined ? nothingCounted : countedAsSeen,
        ...(mark !== undefined && { ExpressionAttributeValues: { ':seen': mark } }),
      });
      const { written } = await writeIf(() => table.client.send(put));
      if (written) return;
    }
  }

  async function get(key: StoredItem): Promise<StoredTags | undefined> {
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
    );
    return Item && toTags(Item);
  }

  /** Sums what all shards have counted. */
  async function read(organizationId: OrganizationId, month: Month): Promise<TagSummary> {
    const items = await queryAll(table, tagUsageOf(organizationId, month));
    return sumTags(items.map((item) => summaryOf(toTags(item))));
  }

  return { add, read };
}
export type TagUsageStore = ReturnType<typeof openTagUsageStore>;

const storedSchema = z.object({
  countedThrough: z.string(),
  tags: z.record(z.string(), z.int()),
  lacking: z.int(),
});
type StoredTags = z.infer<typeof storedSchema>;

const toTags = (item: StoredItem): StoredTags => readItem('usage by tag', storedSchema, item);

const summaryOf = ({ tags, lacking }: StoredTags): TagSummary => ({
  sends: new Map(Object.entries(tags)),
  lacking,
});

const attributesOf = ({ sends, lacking }: TagSummary) => ({
  tags: Object.fromEntries(sends),
  lacking,
});
