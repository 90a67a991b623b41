import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toSeconds } from '#shared/table/expiry';
import { type Key, rateDayKey, rateWindowKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import { dayOf, minuteOf } from './rate-limit.ts';

const rateWindowSchema = z.object({ requests: z.int() });
const minuteKeptForSeconds = 3_600;
/** So long, one can see what a usual day of the key is. */
const dayKeptForSeconds = 35 * 86_400;

/** Counts one request in the key's current minute and answers the count. */
export const countRequest = (table: Table, id: ApiKeyId, now: number): Promise<number> =>
  countIn(table, rateWindowKey(id, minuteOf(now)), toSeconds(now) + minuteKeptForSeconds);

/** Counts one request in the key's current day, in UTC, and answers the count. */
export const countRequestOfDay = (table: Table, id: ApiKeyId, now: number): Promise<number> =>
  countIn(table, rateDayKey(id, dayOf(now)), toSeconds(now) + dayKeptForSeconds);

/** It is an UpdateItem of its own, because in a transaction the counter would make concurrent sends conflict. */
async function countIn(table: Table, key: Key, expiresAt: number): Promise<number> {
  const { Attributes } = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: key,
      UpdateExpression: 'SET expiresAt = :expiresAt ADD requests :one',
      ExpressionAttributeValues: { ':expiresAt': expiresAt, ':one': 1 },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return rateWindowSchema.parse(Attributes).requests;
}

export const openRateWindowStore = (table: Table) => ({
  /** Counts one request and answers how many the minute has. */
  count: (id: ApiKeyId, now: number) => countRequest(table, id, now),
  /** Counts one request and answers how many the day has. */
  countOfDay: (id: ApiKeyId, now: number) => countRequestOfDay(table, id, now),
});
export type RateWindowStore = ReturnType<typeof openRateWindowStore>;
