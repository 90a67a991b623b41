import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toSeconds } from '#shared/table/expiry';
import { dayQuotaKey } from '#shared/table/keys';
import { writeIf } from '#shared/table/single-write';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { dayNumberOf } from './rate-limit.ts';

/** The names are part of the table's keys. Test emails have their own: a test run never keeps real ones out. */
type DayQuota = 'UPLOADS' | 'CHANGES' | 'CONTACTS' | 'WAITING' | 'TEST_WAITING';

const usedSchema = z.object({ used: z.int() });
const keptForSeconds = 2 * 86_400;

/** Counts exactly, even under concurrent requests. */
export function openDayQuotaStore(table: Table) {
  /** A write whose answer was lost is repeated and may count twice: better too much than too little. */
  async function take(
    id: OrganizationId,
    quota: DayQuota,
    amount: number,
    most: number,
    now: number,
  ): Promise<boolean> {
    if (amount > most) return false;
    const update = new UpdateCommand({
      TableName: table.name,
      Key: dayQuotaKey(id, quota, dayNumberOf(now)),
      UpdateExpression: 'SET expiresAt = :expiresAt ADD used :amount',
      ConditionExpression: 'attribute_not_exists(used) OR used <= :room',
      ExpressionAttributeValues: {
        ':expiresAt': toSeconds(now) + keptForSeconds,
        ':amount': amount,
        ':room': most - amount,
      },
    });
    const { written } = await writeIf(() => table.client.send(update));
    return written;
  }

  /**
   * At most once: the write requires the count it has read. If another request counts in between, or the process dies,
   * the amount is lost for the day.
   */
  async function giveBack(
    id: OrganizationId,
    quota: DayQuota,
    amount: number,
    now: number,
  ): Promise<void> {
    const used = await read(id, quota, now);
    const update = new UpdateCommand({
      TableName: table.name,
      Key: dayQuotaKey(id, quota, dayNumberOf(now)),
      UpdateExpression: 'SET used = :left',
      ConditionExpression: 'used = :used',
      ExpressionAttributeValues: { ':used': used, ':left': Math.max(0, used - amount) },
    });
    await writeIf(() => table.client.send(update));
  }

  async function read(id: OrganizationId, quota: DayQuota, now: number): Promise<number> {
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: dayQuotaKey(id, quota, dayNumberOf(now)) }),
    );
    return Item?.['used'] === undefined ? 0 : usedSchema.parse(Item).used;
  }

  return { take, giveBack, read };
}
export type DayQuotaStore = ReturnType<typeof openDayQuotaStore>;
