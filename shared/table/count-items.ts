import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { ItemRange } from './query-all.ts';
import { tableIndexes } from './table-attributes.ts';
import type { Table } from './table-client.ts';

/** Counts in the second index and stops at `most`. Eventually consistent. */
export async function countListed(table: Table, partition: string, most: number): Promise<number> {
  const { name, partitionKey } = tableIndexes.gsi2;
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      IndexName: name,
      Select: 'COUNT',
      KeyConditionExpression: `${partitionKey} = :pk`,
      ExpressionAttributeValues: { ':pk': partition },
    },
  );
  let listed = 0;
  for await (const { Count = 0 } of pages) {
    listed += Count;
    if (listed >= most) break;
  }
  return listed;
}

/** Strongly consistent. */
export async function countItems(table: Table, { pk, skPrefix = '' }: ItemRange): Promise<number> {
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      Select: 'COUNT',
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :skPrefix)',
      ExpressionAttributeValues: { ':pk': pk, ':skPrefix': skPrefix },
      ConsistentRead: true,
    },
  );
  let items = 0;
  for await (const { Count = 0 } of pages) items += Count;
  return items;
}
