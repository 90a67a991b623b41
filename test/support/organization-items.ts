import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { organizationKey } from '#shared/table/keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { TableOpener } from './disturbed-table.ts';
import { openMemoryTable } from './memory-table/memory-table.ts';

/** A table that a test reads whole. */
export type WholeTable = {
  readonly table: Table;
  /** Opens it once more. By default that is the table of the file. */
  readonly open?: TableOpener;
  /** Reads every item of the organization. */
  readItems(organizationId: OrganizationId): Promise<StoredItem[]> | StoredItem[];
};

/** A new table in memory: what it holds is of one organization. */
export function wholeTableInMemory(): WholeTable {
  const { table, open, items } = openMemoryTable();
  return { table, open, readItems: items };
}

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
): Promise<string[]> => keysOfThoseHolding(await itemsOf(table, organizationId), text);

/** The keys of those of the items that hold the text in any attribute, in any case. */
export const keysOfThoseHolding = (items: readonly StoredItem[], text: string): string[] =>
  items
    .filter((item) => JSON.stringify(item).toLowerCase().includes(text.toLowerCase()))
    .map(({ pk, sk }) => `${pk} ${sk}`);
