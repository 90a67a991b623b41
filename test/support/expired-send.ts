import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { queryAll } from '#shared/table/reads';
import { sendPartition } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { type SendId, slotIdIn } from '#shared/tokens/resource-id';

/**
 * What the end of its retention does to a send: all that it owns expires with it. DynamoDB has not
 * deleted any of it yet.
 *
 * @throws Error when it owns something that would be kept for longer.
 */
export async function expireSend(table: Table, sendId: SendId): Promise<void> {
  const items = await queryAll(table, { pk: sendPartition(slotIdIn(sendId)) });
  const expiries = new Set(items.map((item) => item['expiresAt']));
  if (expiries.size !== 1) throw new Error(`It expires at ${[...expiries].join(' and ')}`);
  for (const { pk, sk } of items) {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { pk, sk },
        UpdateExpression: 'SET expiresAt = :past',
        ExpressionAttributeValues: { ':past': Math.floor(Date.now() / 1_000) - 1 },
      }),
    );
  }
}
