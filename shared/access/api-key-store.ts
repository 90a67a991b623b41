import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Organization, organizationSchema } from '#shared/organizations/organization';
import { writeIf } from '#shared/table/condition-failure';
import { apiKeyKey, organizationKey } from '#shared/table/keys';
import { readItem } from '#shared/table/read-item';
import type { Table } from '#shared/table/table-client';
import { type ApiKeyId, organizationIdOf } from '#shared/tokens/resource-id';
import type { ApiKey } from './api-key.ts';
import { apiKeyItemOf, toApiKey } from './api-key-items.ts';

const keyIsFree = 'attribute_not_exists(pk)';

/** The write of a new API key (its secret's hash only). */
export const newApiKeyItem = (table: Table, apiKey: ApiKey) => ({
  TableName: table.name,
  Item: apiKeyItemOf(apiKey),
  ConditionExpression: keyIsFree,
});

/** Stores a new API key. */
export async function putNewApiKey(table: Table, apiKey: ApiKey): Promise<void> {
  await table.client.send(new PutCommand(newApiKeyItem(table, apiKey)));
}

/** A key as a request presents it, and what the request may use of the key's organization. */
export type KeyInUse = { readonly apiKey: ApiKey } & Pick<Organization, 'cursorSecret' | 'limits'>;

const inUse = z.pick(organizationSchema, { cursorSecret: true, limits: true });

/**
 * Reads a key and its organization, strongly consistent: a key revoked a moment ago is refused now. A key of
 * an organization that was deleted is no key any more, whether or not its item is left.
 */
export async function getKeyInUse(table: Table, id: ApiKeyId): Promise<KeyInUse | undefined> {
  const [apiKey, organization] = await Promise.all(
    [apiKeyKey(id), organizationKey(organizationIdOf(id))].map((Key) =>
      table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true })),
    ),
  );
  if (apiKey?.Item === undefined || organization?.Item === undefined) return undefined;
  return { apiKey: toApiKey(apiKey.Item), ...readItem('organization', inUse, organization.Item) };
}

const isThere = 'attribute_exists(pk)';
const isNotNoted = '(attribute_not_exists(lastUsedAt) OR lastUsedAt <= :notSince)';

/**
 * Notes the use of a key, unless one after the moment `notSince` is noted. It gives up after a second. Every
 * function that admits keys may write this attribute, so the request names no other.
 */
export async function noteUse(
  table: Table,
  id: ApiKeyId,
  now: number,
  notSince: number,
): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: apiKeyKey(id),
    UpdateExpression: 'SET lastUsedAt = :now',
    ConditionExpression: `${isThere} AND ${isNotNoted}`,
    ExpressionAttributeValues: { ':now': now, ':notSince': notSince },
  });
  await writeIf(() => table.client.send(update, { abortSignal: AbortSignal.timeout(noteLimitMs) }));
}

const noteLimitMs = 1_000;

export const openApiKeyStore = (table: Table) => ({
  get: (id: ApiKeyId) => getKeyInUse(table, id),
  noteUse: (id: ApiKeyId, now: number, notSince: number) => noteUse(table, id, now, notSince),
});
export type ApiKeyStore = ReturnType<typeof openApiKeyStore>;
