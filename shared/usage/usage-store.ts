import { paginateQuery, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { usageKey, usageOf } from '#shared/table/keys';
import { readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { dayOf } from '#shared/timing/day';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { countOnce, partsOf } from './counter-store.ts';
import type { DayPeriod } from './day.ts';
import {
  type DailyUsage,
  dayCountersOf,
  dayTimeCounterOf,
  readDayCounters,
} from './day-counters.ts';
import { type DeliveryTimes, sumTimes } from './delivery-times.ts';
import { type Month, monthOfDay, type Period } from './month.ts';
import { sumUsage, type UsageCounts, usageCounters, usageCountsSchema } from './usage-counts.ts';
import type { UsageTally } from './usage-tally.ts';

/**
 * Counts each change once, however often it comes. Each shard has its own mark, and so its own item: changes are in
 * order only within a shard.
 *
 * @returns the shard's count of that month's days so far.
 */
export async function addUsage(
  table: Table,
  shardId: string,
  { organizationId, month, entries }: UsageTally,
): Promise<DailyUsage[]> {
  const item = { key: usageKey(organizationId, month, shardId), attributes: { month } };
  const dated = entries.map((entry) => ({ ...entry, day: dayOf(entry.at) }));
  let stored: StoredItem = {};
  // One after another: the mark in the item says that everything before it is counted.
  for (const part of partsOf(dated, ({ day }) => day, maxDaysAtOnce)) {
    const additions = part.map(({ sequence, day, counts, delivery }) => ({
      sequence,
      counts: {
        ...counts,
        ...dayCountersOf(day, counts),
        ...(delivery && dayTimeCounterOf(day, delivery.tookMs)),
      },
    }));
    stored = await countOnce(table, item, additions);
  }
  return readDayCounters(month, stored);
}

/**
 * Any number of parts for each month, to be summed. Eventually consistent, since the counters lag the sends by some
 * seconds anyway.
 */
export async function readUsage(
  table: Table,
  organizationId: OrganizationId,
  period: Period,
): Promise<MonthlyUsage[]> {
  return (await readItems(table, organizationId, period)).map(toMonthlyUsage);
}

/**
 * A month without its days, which are most of an item: a table with many shards has a thousand items for the month of
 * a busy organization.
 */
export async function readUsageCounts(
  table: Table,
  organizationId: OrganizationId,
  month: Month,
): Promise<UsageCounts> {
  const counts: Partial<UsageCounts>[] = [];
  for await (const { Items = [] } of queryUsage(
    table,
    organizationId,
    { from: month, to: month },
    counters,
  )) {
    counts.push(sumUsage(Items.map((item) => readItem('usage', usageCountsSchema, item))));
  }
  return sumUsage(counts);
}

/** Looks back from today until it knows: at once if email goes out, and far back only if little is stored. */
export async function readMilestones(table: Table, organizationId: OrganizationId) {
  let hasSent = false;
  const pages = queryUsage(table, organizationId, allMonths, {
    ScanIndexForward: false,
    Limit: 20,
  });
  for await (const { Items = [] } of pages) {
    const counts = Items.map((item) => readItem('usage', usageCountsSchema, item));
    if (counts.some(({ delivered }) => delivered > 0)) return { hasSent: true, hasDelivered: true };
    hasSent ||= counts.some(({ sends }) => sends > 0);
  }
  return { hasSent, hasDelivered: false };
}

export async function readUsageDays(
  table: Table,
  organizationId: OrganizationId,
  { from, to }: DayPeriod,
): Promise<DailyUsage[]> {
  const months = { from: monthOfDay(from), to: monthOfDay(to) };
  const items = await readItems(table, organizationId, months);
  const days = items.flatMap((item) => readDayCounters(monthSchema.parse(item).month, item));
  return days.filter(({ day }) => from <= day && day <= to);
}

async function readItems(
  table: Table,
  organizationId: OrganizationId,
  period: Period,
): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const { Items = [] } of queryUsage(table, organizationId, period))
    items.push(...Items);
  return items;
}

type QueryOptions = Partial<QueryCommandInput>;

function queryUsage(
  { client, name }: Table,
  organizationId: OrganizationId,
  { from, to }: Period,
  options: QueryOptions = {},
) {
  const { pk, firstSk, lastSk } = usageOf(organizationId, from, to);
  return paginateQuery(
    { client },
    {
      TableName: name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :firstSk AND :lastSk',
      ExpressionAttributeValues: { ':pk': pk, ':firstSk': firstSk, ':lastSk': lastSk },
      ...options,
    },
  );
}

/** A day has up to 15 counters and 33 of times: with the month's, that makes an expression of 4 KB. */
export const maxDaysAtOnce = 2;

export type MonthlyUsage = {
  readonly month: Month;
  readonly counts: UsageCounts;
  readonly times?: DeliveryTimes;
};

const monthSchema = z.object({ month: z.string() });

const counters = {
  ProjectionExpression: usageCounters.map((_, index) => `#${index}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(
    usageCounters.map((name, index) => [`#${index}`, name]),
  ),
};

const allMonths = { from: '0000-01', to: '9999-12' };

function toMonthlyUsage(item: StoredItem): MonthlyUsage {
  const { month } = monthSchema.parse(item);
  const times = sumTimes(readDayCounters(month, item).flatMap((day) => day.times ?? []));
  return { month, counts: readItem('usage', usageCountsSchema, item), times };
}
