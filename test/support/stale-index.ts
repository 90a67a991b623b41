import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { contactIndexKey, contactKey, contactListIndexKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';

/** As right after an erasure: the indexes, which lag, still lead from the address to the contact. */
export async function listErasedAgain(
  table: Table,
  organizationId: OrganizationId,
  identity: string,
): Promise<void> {
  const id = contactIdOf(organizationId, identity);
  const keys = { ...contactIndexKey(identity, id), ...contactListIndexKey(identity, id) };
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: contactKey(id),
      UpdateExpression: `SET ${Object.keys(keys).map((name) => `${name} = :${name}`)}`,
      ConditionExpression: 'attribute_exists(erasedAt)',
      ExpressionAttributeValues: Object.fromEntries(
        Object.entries(keys).map(([name, value]) => [`:${name}`, value]),
      ),
    }),
  );
}
