import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { rateWindowKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import { minuteOf } from './rate-limit.ts';

const rateWindowSchema = z.object({ requests: z.int() });
const keptForSeconds = 3_600;

/**
 * Counts one request in the key's current minute and answers the count. It is an UpdateItem of its own,
 * because in a transaction the counter would make concurrent sends conflict.
 */
export async function countRequest(table: Table, id: ApiKeyId, now: number): Promise<number> {
  const { Attributes } = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: rateWindowKey(id, minuteOf(now)),
      UpdateExpression: 'SET expiresAt = :expiresAt ADD requests :one',
      ExpressionAttributeValues: {
        ':expiresAt': Math.floor(now / 1000) + keptForSeconds,
        ':one': 1,
      },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return rateWindowSchema.parse(Attributes).requests;
}

export const openRateWindowStore = (table: Table) => ({
  /** Counts one request and answers how many the minute has. */
  count: (id: ApiKeyId, now: number) => countRequest(table, id, now),
});
