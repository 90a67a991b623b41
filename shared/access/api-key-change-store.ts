import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { changedAttributes, updateExpressionOf } from '#shared/table/attribute-change';
import { apiKeyKey, apiKeysOf } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/transact-write';
import type { ApiKeyId, OrganizationId } from '#shared/tokens/resource-id';
import type { ApiKey } from './api-key.ts';
import { apiKeyItemOf, toApiKey } from './api-key-items.ts';
import type { Scope } from './scopes.ts';

const isNew = 'attribute_not_exists(pk)';
const isSameVersion = 'updatedAt = :before';
const isNotRevoked = 'attribute_not_exists(revokedAt)';
const isNotExpired = '(attribute_not_exists(validUntil) OR validUntil > :now)';
const mayManage = 'contains(scopes, :manage)';

const managesAt = (now: number) => ({
  expression: `${isNotRevoked} AND ${isNotExpired} AND ${mayManage}`,
  values: { ':now': now, ':manage': 'manage_organization' satisfies Scope },
});

/** Stores a new key, and the entry that tells of it. */
export async function createApiKeyWithEntry(
  table: Table,
  apiKey: ApiKey,
  entry: AuditEntry,
): Promise<void> {
  const outcome = await transactWrite(table, [putNew(table, apiKey), putAuditEntry(table, entry)]);
  if (!outcome.committed) throw new Error(`The id ${apiKey.id} is taken`);
}

/** A change of a key, with what must be written or true beside it. */
export type ApiKeyChange = {
  readonly before: ApiKey;
  readonly after: ApiKey;
  /** The key that takes its place. */
  readonly successor?: ApiKey | undefined;
  /** Another key, that must be able to manage the organization at the moment `now`. */
  readonly witness?: { readonly id: ApiKeyId; readonly now: number } | undefined;
};

/**
 * Changes a key that still is the version `before`, together with its entry. It writes the attributes that
 * differ, so it loses no note of a use.
 */
export async function changeApiKeyWithEntry(
  table: Table,
  { before, after, successor, witness }: ApiKeyChange,
  entry: AuditEntry,
): Promise<'stored' | 'changed_meanwhile'> {
  const outcome = await transactWrite(table, [
    updateFrom(table, before, after),
    putAuditEntry(table, entry),
    ...(successor === undefined ? [] : [putNew(table, successor)]),
    ...(witness === undefined ? [] : [requireManager(table, witness.id, witness.now)]),
  ]);
  return outcome.committed ? 'stored' : 'changed_meanwhile';
}

/** How many keys an organization has: that are valid, and that are listed at all. */
export type KeyNumbers = { readonly valid: number; readonly listed: number };

/** Counts an organization's keys, and stops when `most` are listed. */
export async function countApiKeys(
  table: Table,
  organizationId: OrganizationId,
  now: number,
  most: number,
): Promise<KeyNumbers> {
  const { pk, skPrefix } = apiKeysOf(organizationId);
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      Select: 'COUNT',
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :skPrefix)',
      FilterExpression: `${isNotRevoked} AND ${isNotExpired}`,
      ExpressionAttributeValues: { ':pk': pk, ':skPrefix': skPrefix, ':now': now },
      ConsistentRead: true,
    },
  );
  const numbers = { valid: 0, listed: 0 };
  for await (const { Count = 0, ScannedCount = 0 } of pages) {
    numbers.valid += Count;
    numbers.listed += ScannedCount;
    if (numbers.listed >= most) break;
  }
  return numbers;
}

/** Another key than the given one that may manage the organization now, if it has one. */
export async function findOtherManager(
  table: Table,
  organizationId: OrganizationId,
  except: ApiKeyId,
  now: number,
): Promise<ApiKeyId | undefined> {
  const { pk, skPrefix } = apiKeysOf(organizationId);
  const { expression, values } = managesAt(now);
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :skPrefix)',
      FilterExpression: `${expression} AND id <> :except`,
      ExpressionAttributeValues: { ':pk': pk, ':skPrefix': skPrefix, ':except': except, ...values },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) {
    const [item] = Items;
    if (item !== undefined) return toApiKey(item).id;
  }
  return undefined;
}

const putNew = (table: Table, apiKey: ApiKey): TransactionItem => ({
  Put: { TableName: table.name, Item: apiKeyItemOf(apiKey), ConditionExpression: isNew },
});

function requireManager(table: Table, id: ApiKeyId, now: number): TransactionItem {
  const { expression, values } = managesAt(now);
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: apiKeyKey(id),
      ConditionExpression: expression,
      ExpressionAttributeValues: values,
    },
  };
}

function updateFrom(table: Table, before: ApiKey, after: ApiKey): TransactionItem {
  const [old, wanted] = [apiKeyItemOf(before), apiKeyItemOf(after)];
  const { ExpressionAttributeValues, ...update } = updateExpressionOf({
    set: changedAttributes(old, wanted),
    remove: Object.keys(old).filter((name) => wanted[name] === undefined),
  });
  return {
    Update: {
      TableName: table.name,
      Key: apiKeyKey(after.id),
      ConditionExpression: isSameVersion,
      ...update,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':before': before.updatedAt },
    },
  };
}

export const openApiKeyChangeStore = (table: Table) => ({
  create: (apiKey: ApiKey, entry: AuditEntry) => createApiKeyWithEntry(table, apiKey, entry),
  change: (change: ApiKeyChange, entry: AuditEntry) => changeApiKeyWithEntry(table, change, entry),
  count: (organizationId: OrganizationId, now: number, most: number) =>
    countApiKeys(table, organizationId, now, most),
  findOtherManager: (organizationId: OrganizationId, except: ApiKeyId, now: number) =>
    findOtherManager(table, organizationId, except, now),
});
export type ApiKeyChangeStore = ReturnType<typeof openApiKeyChangeStore>;
