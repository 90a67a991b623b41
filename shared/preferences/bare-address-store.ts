import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toSeconds } from '#shared/table/expiry';
import { bareAddressKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { hourEndOf, hourOf } from '#shared/timing/hour';

const countSchema = z.object({ requests: z.int() });

/**
 * One write unit, whether or not an organization knows the address.
 *
 * @param name the identity of an address, or another name for the source of the request.
 * @returns the hour's count so far.
 */
export async function countBareAddress(table: Table, name: string, now: number): Promise<number> {
  const { Attributes } = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: bareAddressKey(name, hourOf(now)),
      UpdateExpression: 'SET expiresAt = :expiresAt ADD requests :one',
      ExpressionAttributeValues: { ':expiresAt': toSeconds(hourEndOf(now)), ':one': 1 },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return countSchema.parse(Attributes).requests;
}
