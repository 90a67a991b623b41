import * as z from 'zod/mini';
import { tagUsageKey, tagUsageOf } from '#shared/table/keys';
import { queryAll, readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { addToSummary } from './counter-store.ts';
import type { Month } from './month.ts';
import { addTags, noTags, sumTags, type TagSummary } from './tag-summary.ts';
import type { UsageTally } from './usage-tally.ts';

export const addTagUsage = (
  table: Table,
  shardId: string,
  { organizationId, month, entries }: UsageTally,
): Promise<void> =>
  addToSummary<TagSummary>(
    table,
    {
      key: tagUsageKey(organizationId, month, shardId),
      none: noTags,
      read: toSummary,
      add: (summary, left) =>
        addTags(
          summary,
          left.flatMap(({ tags = [] }) => tags),
        ),
      attributesOf: ({ sends, lacking }) => ({
        month,
        tags: Object.fromEntries(sends),
        lacking,
      }),
    },
    entries.filter(({ tags = [] }) => tags.length > 0),
  );

export async function readTagUsage(
  table: Table,
  organizationId: OrganizationId,
  month: Month,
): Promise<TagSummary> {
  const items = await queryAll(table, tagUsageOf(organizationId, month));
  return sumTags(items.map(toSummary));
}

const storedSchema = z.object({
  tags: z.record(z.string(), z.int()),
  lacking: z.int(),
});

function toSummary(item: StoredItem): TagSummary {
  const { tags, lacking } = readItem('usage by tag', storedSchema, item);
  return { sends: new Map(Object.entries(tags)), lacking };
}
