import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { usageKey, usageOf } from '#shared/table/keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { addOnce } from './counter-store.ts';
import type { Month, Period } from './month.ts';
import { type UsageCounts, usageCountsSchema } from './usage-counts.ts';
import type { UsageTally } from './usage-tally.ts';

/**
 * Counts what a shard tells of one organization's month. Each change counts once, however often it comes.
 *
 * Each shard has its own mark, and so its own item, because changes are in order only within a shard.
 */
export async function addUsage(
  table: Table,
  shardId: string,
  { organizationId, month, entries }: UsageTally,
): Promise<void> {
  const item = { key: usageKey(organizationId, month, shardId), attributes: { month } };
  await addOnce(table, item, entries);
}

/** What one shard tells of a month. */
export type MonthlyUsage = { readonly month: Month; readonly counts: UsageCounts };

const monthSchema = z.object({ month: z.string() });

/**
 * Reads an organization's usage: any number of parts for each month, to be summed. The read is eventually
 * consistent, since the counters follow the sends by some seconds anyway.
 */
export async function readUsage(
  table: Table,
  organizationId: OrganizationId,
  { from, to }: Period,
): Promise<MonthlyUsage[]> {
  const { pk, firstSk, lastSk } = usageOf(organizationId, from, to);
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :firstSk AND :lastSk',
      ExpressionAttributeValues: { ':pk': pk, ':firstSk': firstSk, ':lastSk': lastSk },
    },
  );
  const parts: MonthlyUsage[] = [];
  for await (const { Items = [] } of pages) parts.push(...Items.map(toMonthlyUsage));
  return parts;
}

const toMonthlyUsage = (item: StoredItem): MonthlyUsage => ({
  month: monthSchema.parse(item).month,
  counts: usageCountsSchema.parse(item),
});

export const openUsageStore = (table: Table) => ({
  /** Adds each entry once, however often it comes. */
  add: (shardId: string, tally: UsageTally) => addUsage(table, shardId, tally),
  read: (organizationId: OrganizationId, period: Period) =>
    readUsage(table, organizationId, period),
});
export type UsageStore = ReturnType<typeof openUsageStore>;
