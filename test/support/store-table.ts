import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { inject, vi } from 'vitest';
import { openTable, type StoredItem, type Table } from '#shared/table/table-client';

/**
 * The service's table on DynamoDB Local, opened as a function opens it. All store tests share it:
 * each works in organizations of its own.
 */
export function openStoreTable(): Table {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', inject('dynamodbEndpoint'));
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  return openTable(inject('tableName'));
}

/** The most items that BatchWriteItem takes. */
const batchSize = 25;

/** Stores any number of items, as a test that needs many of them should. */
export async function storeItems(
  { client, name }: Table,
  items: readonly StoredItem[],
): Promise<void> {
  for (let start = 0; start < items.length; start += batchSize) {
    const batch = items.slice(start, start + batchSize);
    const requests = batch.map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [name]: requests } }));
  }
}
