import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { apiKeyKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import type { ApiKey } from './api-key.ts';
import { apiKeyItemOf, toApiKey } from './api-key-items.ts';

const keyIsFree = 'attribute_not_exists(pk)';

/** Stores a new API key (its secret's hash only). */
export async function putNewApiKey(table: Table, apiKey: ApiKey): Promise<void> {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: apiKeyItemOf(apiKey),
      ConditionExpression: keyIsFree,
    }),
  );
}

/** Reads a key, strongly consistent: a key revoked a moment ago is refused now. */
export async function getApiKey(table: Table, id: ApiKeyId): Promise<ApiKey | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: apiKeyKey(id), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : toApiKey(Item);
}

export const openApiKeyStore = (table: Table) => ({
  get: (id: ApiKeyId) => getApiKey(table, id),
});
export type ApiKeyStore = ReturnType<typeof openApiKeyStore>;
