import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { usageKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';

export type UsageName = 'global_endpoint_sends';

/** Adds one to the organization's counter of the month (UTC) that `now` (epoch milliseconds) lies in. */
export async function countUsage(
  table: Table,
  organizationId: OrganizationId,
  name: UsageName,
  now: number,
): Promise<void> {
  const month = new Date(now).toISOString().slice(0, 7);
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: usageKey(organizationId, month, name),
      UpdateExpression: 'ADD #total :one',
      ExpressionAttributeNames: { '#total': 'total' },
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
}
