import { inject, vi } from 'vitest';
import { openTable, type Table } from '#shared/table/table-client';

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
