import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { organizationKey } from '#shared/table/keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';

/** Every item of the organization in the table, whatever it is, expired or not. */
export async function itemsOf(table: Table, organizationId: OrganizationId): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  const pages = paginateScan(
    { client: table.client },
    {
      TableName: table.name,
      ConsistentRead: true,
      FilterExpression: 'begins_with(pk, :organization)',
      ExpressionAttributeValues: { ':organization': organizationKey(organizationId).pk },
    },
  );
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}

/** The keys of the organization's items that hold the text in any attribute, in any case. */
export const keysHolding = async (
  table: Table,
  organizationId: OrganizationId,
  text: string,
): Promise<string[]> =>
  (await itemsOf(table, organizationId))
    .filter((item) => JSON.stringify(item).toLowerCase().includes(text.toLowerCase()))
    .map(({ pk, sk }) => `${pk} ${sk}`);
