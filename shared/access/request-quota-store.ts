import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { quotaNearPercent } from '#shared/config/organization-limits';
import { isOfTests, type RequestQuota } from '#shared/config/request-quotas';
import { publishCount } from '#shared/observability/metrics';
import { toSeconds } from '#shared/table/expiry';
import { dayQuotaKey, type Key } from '#shared/table/keys';
import { getItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { dayNumberOf } from './rate-window.ts';

const usedSchema = z.object({ used: z.int() });
const keptForSeconds = 2 * 86_400;

const isWithinQuota = 'attribute_not_exists(used) OR used <= :max';
const isNearlyFull = 'used >= :near';
const isNotMarked = 'attribute_not_exists(fullAt) OR fullAt <> :most';

// Counts exactly, even under concurrent requests. An item has its limit beside the count, so the table's stream shows
// how much is used: `usage/quota-notices.ts`.

/**
 * A write whose answer was lost is repeated and may count twice: better too much than too little.
 *
 * @returns whether it fits in the quota.
 */
export async function takeRequestQuota(
  table: Table,
  id: OrganizationId,
  quota: RequestQuota,
  amount: number,
  most: number,
  now: number,
): Promise<boolean> {
  if (amount > most) return false;
  const key = dayQuotaKey(id, quota, dayNumberOf(now));
  const update = new UpdateCommand({
    TableName: table.name,
    Key: key,
    UpdateExpression: 'SET expiresAt = :expiresAt, most = :most ADD used :amount',
    ConditionExpression: isWithinQuota,
    ExpressionAttributeValues: {
      ':expiresAt': toSeconds(now) + keptForSeconds,
      ':amount': amount,
      ':most': most,
      ':max': most - amount,
    },
  });
  const { written } = await writeIf(() => table.client.send(update));
  if (!written && !isOfTests(quota)) {
    await markFull(table, key, most).catch(() =>
      publishCount('NoticeNotFiled', { cause: 'day_quota' }),
    );
  }
  return written;
}

/**
 * Tells the stream about a refused request, which changes nothing else. Written once for each limit, and only when
 * most of it is used: a single large request hasn't used up a day. If the write fails or the process dies, the next
 * refused request writes it.
 */
async function markFull(table: Table, Key: Key, most: number): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key,
    UpdateExpression: 'SET fullAt = :most, most = :most',
    ConditionExpression: `${isNearlyFull} AND (${isNotMarked})`,
    ExpressionAttributeValues: { ':most': most, ':near': (most * quotaNearPercent) / 100 },
  });
  await writeIf(() => table.client.send(update));
}

/**
 * At most once: the write requires the count it has read. If another request counts in between, or the process dies,
 * the amount is lost for the day.
 */
export async function giveBackRequestQuota(
  table: Table,
  id: OrganizationId,
  quota: RequestQuota,
  amount: number,
  now: number,
): Promise<void> {
  const used = await readRequestQuota(table, id, quota, now);
  const update = new UpdateCommand({
    TableName: table.name,
    Key: dayQuotaKey(id, quota, dayNumberOf(now)),
    UpdateExpression: 'SET used = :left',
    ConditionExpression: 'used = :used',
    ExpressionAttributeValues: { ':used': used, ':left': Math.max(0, used - amount) },
  });
  await writeIf(() => table.client.send(update));
}

/** @returns how much of it is used. */
export async function readRequestQuota(
  table: Table,
  id: OrganizationId,
  quota: RequestQuota,
  now: number,
): Promise<number> {
  const item = await getItem(table, dayQuotaKey(id, quota, dayNumberOf(now)), {
    isConsistent: false,
  });
  return item?.['used'] === undefined ? 0 : usedSchema.parse(item).used;
}
