import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StoredItem, Table } from './table-client.ts';

/** A whole partition, or only the sort keys with this prefix. */
export type ItemRange = { readonly pk: string; readonly skPrefix?: string };

/** In sort key order, strongly consistent. More than one Query only past DynamoDB's 1 MB page. */
export async function queryAll(
  table: Table,
  { pk, skPrefix = '' }: ItemRange,
): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: skPrefix === '' ? inPartition : `${inPartition} AND ${hasPrefix}`,
      ExpressionAttributeValues: { ':pk': pk, ...(skPrefix !== '' && { ':skPrefix': skPrefix }) },
      ConsistentRead: true,
    },
  );
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}

const inPartition = 'pk = :pk';
const hasPrefix = 'begins_with(sk, :skPrefix)';
