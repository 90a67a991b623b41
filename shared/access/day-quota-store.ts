import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toSeconds } from '#shared/table/expiry';
import { dayQuotaKey } from '#shared/table/keys';
import { writeIf } from '#shared/table/single-write';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { dayNumberOf } from './rate-limit.ts';

/** What an organization has a UTC-daily quota of. The names are part of the table's keys. */
export type DayQuota = 'UPLOADS' | 'CHANGES' | 'CONTACTS';

const usedSchema = z.object({ used: z.int() });
const keptForSeconds = 2 * 86_400;

/** Counts exactly, even under concurrent requests. */
export const openDayQuotaStore = (table: Table) => ({
  /**
   * Takes an amount from a day's quota, if it fits. A write whose answer was lost is repeated and may count twice:
   * better too much than too little.
   */
  async take(
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
  },

  /** Returns an unused amount. What is never returned is lost for the day. */
  async giveBack(id: OrganizationId, quota: DayQuota, amount: number, now: number): Promise<void> {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: dayQuotaKey(id, quota, dayNumberOf(now)),
        UpdateExpression: 'ADD used :amount',
        ConditionExpression: 'used >= :taken',
        ExpressionAttributeValues: { ':amount': -amount, ':taken': amount },
      }),
    );
  },

  async read(id: OrganizationId, quota: DayQuota, now: number): Promise<number> {
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: dayQuotaKey(id, quota, dayNumberOf(now)) }),
    );
    return Item?.['used'] === undefined ? 0 : usedSchema.parse(Item).used;
  },
});
export type DayQuotaStore = ReturnType<typeof openDayQuotaStore>;
