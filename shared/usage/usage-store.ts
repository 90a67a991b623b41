import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { usageKey, usageOf } from '#shared/table/keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Month, Period } from './month.ts';
import type { UsageEntry } from './stream-record.ts';
import { sumUsage, type UsageCounts, usageCounters, usageCountsSchema } from './usage-counts.ts';
import { entriesAfter, type UsageTally } from './usage-tally.ts';

/**
 * Counts what a shard tells of one organization's month. Each change counts once, however often it comes:
 * one UpdateItem writes the counters and the mark up to which they count.
 *
 * Each shard has its own mark, and so its own item, because changes are in order only within a shard.
 */
export async function addUsage(table: Table, shardId: string, tally: UsageTally): Promise<void> {
  let { entries } = tally;
  for (;;) {
    const mark = await addEntries(table, shardId, { ...tally, entries });
    if (mark === undefined) return;
    // At least the first is at or below the mark, so this ends.
    entries = entriesAfter(entries, mark);
    if (entries.length === 0) return;
  }
}

const nothingCounted = 'attribute_not_exists(countedThrough)';
const noneOfThemCounted = 'countedThrough < :first';

const markSchema = z.object({ countedThrough: z.string() });

/** @returns the mark that forbids to count all of the entries; `undefined` when they are counted. */
async function addEntries(
  table: Table,
  shardId: string,
  { organizationId, month, entries }: UsageTally,
): Promise<string | undefined> {
  const additions = additionsOf(entries);
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: usageKey(organizationId, month, shardId),
        UpdateExpression: `SET countedThrough = :last, #month = :month ADD ${additions
          .map(([counter]) => `#${counter} :${counter}`)
          .join(', ')}`,
        ConditionExpression: `${nothingCounted} OR ${noneOfThemCounted}`,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ExpressionAttributeNames: {
          '#month': 'month',
          ...Object.fromEntries(additions.map(([counter]) => [`#${counter}`, counter])),
        },
        ExpressionAttributeValues: {
          ':first': entries[0]?.sequence,
          ':last': entries.at(-1)?.sequence,
          ':month': month,
          ...Object.fromEntries(additions.map(([counter, count]) => [`:${counter}`, count])),
        },
      }),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return markSchema.parse(unmarshall(error.Item ?? {})).countedThrough;
  }
}

/** Every entry counts something, so there is at least one addition. */
function additionsOf(entries: readonly UsageEntry[]) {
  const counts = sumUsage(entries.map((entry) => entry.counts));
  return usageCounters
    .map((counter) => [counter, counts[counter]] as const)
    .filter(([, count]) => count > 0);
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
