import { PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type AuditEntry, auditRetentionDays } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { type Organization, organizationSchema } from '#shared/organizations/organization';
import { changedAttributes } from '#shared/table/attribute-change';
import { is, isNew, onlyIf, updateIf } from '#shared/table/conditional-update';
import { expiryAfter, isExpired } from '#shared/table/expiry';
import {
  apiKeyKey,
  apiKeyListIndexKey,
  apiKeyListPartition,
  apiKeysOf,
  organizationKey,
  personIndexKeys,
} from '#shared/table/keys';
import { idAt, listPositionOf } from '#shared/table/list-position';
import { type List, type ListRange, readListPage } from '#shared/table/list-reader';
import { batchGet, getItem, readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import {
  requireItem,
  storeIfUnchanged,
  type TransactionItem,
  transactWrite,
  writeIf,
} from '#shared/table/writes';
import {
  type ApiKeyId,
  apiKeyIdSchema,
  type OrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import {
  type ApiKey,
  apiKeySchema,
  apiKeyStatusOf,
  listedForDays,
  withScopesOfRole,
} from './api-key.ts';
import { operatorRole } from './operators.ts';
import type { Scope } from './scopes.ts';
import type { SignIn } from './sign-in.ts';

type KeyInUse = { readonly apiKey: ApiKey } & Pick<
  Organization,
  | 'cursorSecret'
  | 'contactDigest'
  | 'limits'
  | 'webhooks'
  | 'sendRetentionDays'
  | 'keepRefusedShapes'
>;

/** `listed` includes keys that have ended. */
type KeyNumbers = { readonly valid: number; readonly listed: number };

export const apiKeyPositionSchema = listPositionOf(apiKeyIdSchema).brand<'ApiKeyPosition'>();
export type ApiKeyPosition = z.infer<typeof apiKeyPositionSchema>;

/** A change, with what must be written or true beside it. */
export type ApiKeyChange = {
  readonly before: ApiKey;
  readonly after: ApiKey;
  readonly successor?: ApiKey | undefined;
  /** Another key that must be able to manage the organization at `now`. */
  readonly witness?: { readonly id: ApiKeyId; readonly now: number } | undefined;
};

const isThere = 'attribute_exists(pk)';
const isNotRevoked = 'attribute_not_exists(revokedAt)';
const isNotExpired = '(attribute_not_exists(validUntil) OR validUntil > :now)';
const mayManage =
  'contains(scopes, :manage) AND (attribute_not_exists(person) OR attribute_exists(lastUsedAt))';
const isOfProgram = 'attribute_not_exists(person)';
const isNotNoted = '(attribute_not_exists(lastUsedAt) OR lastUsedAt <= :notSince)';
const noneIsNoted = 'attribute_not_exists(sessionsUsedAt)';
const areNotedSo = 'sessionsUsedAt = :before';
const nobodySignedIn = 'attribute_not_exists(signIns)';
const areTheSame = 'signIns = :before';

/**
 * Strongly consistent: a key revoked a moment ago is refused now. A deleted organization has no keys, even while their
 * items remain.
 */
export async function getApiKey(table: Table, id: ApiKeyId): Promise<KeyInUse | undefined> {
  const [apiKey, organization] = await Promise.all(
    [apiKeyKey(id), organizationKey(organizationIdOf(id))].map((key) => getItem(table, key)),
  );
  if (apiKey === undefined || organization === undefined) return undefined;
  return { apiKey: toApiKey(apiKey), ...readItem('organization', inUse, organization) };
}

/** Includes keys revoked or expired in the last `listedForDays`. */
export async function readApiKeyPage(
  table: Table,
  organizationId: OrganizationId,
  range: ListRange<ApiKeyPosition>,
  now: number,
) {
  const list = apiKeyListPartition(organizationId);
  const { items, next } = await readListedKeys(table, list, range);
  return { apiKeys: items.filter((item) => !isExpired(item, now)).map(toApiKey), next };
}

/** @param partition of programs' keys, or of people. */
export async function readListedKeys(
  table: Table,
  partition: string,
  range: ListRange<ApiKeyPosition>,
) {
  const list: List<ApiKeyPosition> = {
    index: 'gsi2',
    partitions: [partition],
    positionSchema: apiKeyPositionSchema,
  };
  const { entries, next } = await readListPage(table, list, range);
  const keys = entries.map(({ position }) => apiKeyKey(apiKeyIdSchema.parse(idAt(position))));
  const itemOf = await batchGet(table, keys);
  return { items: keys.map(itemOf).filter((item) => item !== undefined), next };
}

/** Those that are neither revoked nor expired, newest first. */
export async function listValidApiKeys(
  table: Table,
  organizationId: OrganizationId,
  now: number,
): Promise<readonly ApiKey[]> {
  const pages = queryKeys(table, organizationId, {
    FilterExpression: `${isNotRevoked} AND ${isNotExpired} AND ${isOfProgram}`,
    ExpressionAttributeValues: { ':now': now },
  });
  const keys: ApiKey[] = [];
  for await (const { Items = [] } of pages) keys.push(...Items.map(toApiKey));
  return keys.toSorted((one, other) => other.createdAt - one.createdAt);
}

const endSchema = z.pick(apiKeySchema, { revokedAt: true, validUntil: true });

/** Stops counting when `most` are listed. */
export async function countApiKeys(
  table: Table,
  organizationId: OrganizationId,
  now: number,
  most: number,
): Promise<KeyNumbers> {
  const pages = queryKeys(table, organizationId, {
    ProjectionExpression: 'revokedAt, validUntil',
    FilterExpression: isOfProgram,
    ExpressionAttributeValues: {},
  });
  const numbers = { valid: 0, listed: 0 };
  for await (const { Items = [] } of pages) {
    const ends = Items.map((item) => endSchema.parse(item));
    numbers.valid += ends.filter((end) => apiKeyStatusOf(end, now) === 'active').length;
    numbers.listed += Items.length;
    if (numbers.listed >= most) break;
  }
  return numbers;
}

/** Finds a key that may manage the organization. */
export async function findOtherManager(
  table: Table,
  organizationId: OrganizationId,
  except: ApiKeyId,
  now: number,
): Promise<ApiKeyId | undefined> {
  const { expression, values } = managesAt(now);
  const pages = queryKeys(table, organizationId, {
    FilterExpression: `${expression} AND id <> :except`,
    ExpressionAttributeValues: { ':except': except, ...values },
  });
  for await (const { Items = [] } of pages) {
    const [item] = Items;
    if (item !== undefined) return toApiKey(item).id;
  }
  return undefined;
}

export async function putApiKey(table: Table, apiKey: ApiKey): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, ...newApiKeyItem(apiKey).Put }));
}

export async function storeApiKey(table: Table, apiKey: ApiKey, entry: AuditEntry): Promise<void> {
  const outcome = await transactWrite(table, [newApiKeyItem(apiKey), putAuditEntry(entry)]);
  if (!outcome.committed) throw new Error(`The id ${apiKey.id} is taken`);
}

/** Requires that the organization still exists. */
export async function storeApiKeyOfExisting(
  table: Table,
  apiKey: ApiKey,
  entry: AuditEntry,
): Promise<'stored' | 'unknown'> {
  const outcome = await transactWrite(table, [
    requireItem(organizationKey(organizationIdOf(apiKey.id))),
    newApiKeyItem(apiKey),
    putAuditEntry(entry),
  ]);
  return outcome.committed ? 'stored' : 'unknown';
}

/** Requires the version `before`. Writes only the attributes that differ, so a use recorded in between survives. */
export async function storeApiKeyChange(
  table: Table,
  { before, after, successor, witness }: ApiKeyChange,
  entry: AuditEntry,
): Promise<'stored' | 'changed_meanwhile'> {
  return storeIfUnchanged(table, [
    updateFrom(before, after),
    putAuditEntry(entry),
    ...(successor === undefined ? [] : [newApiKeyItem(successor)]),
    ...(witness === undefined ? [] : [requireManager(witness.id, witness.now)]),
  ]);
}

// IAM lets the functions that use these three write only these attributes, so no update names others.

/** Does nothing if a use after `notSince` is recorded. Gives up after a second. */
export async function recordKeyUse(
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
  const abortSignal = AbortSignal.timeout(1_000);
  await writeIf(() => table.client.send(update, { abortSignal }));
}

/** Does nothing if another session's use was recorded since the key was read. Gives up after a second. */
export async function recordSessionUse(
  table: Table,
  { id, sessionsUsedAt: before }: Pick<ApiKey, 'id' | 'sessionsUsedAt'>,
  after: NonNullable<ApiKey['sessionsUsedAt']>,
  now: number,
): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: apiKeyKey(id),
    UpdateExpression: 'SET lastUsedAt = :now, sessionsUsedAt = :after',
    ConditionExpression: `${isThere} AND ${before === undefined ? noneIsNoted : areNotedSo}`,
    ExpressionAttributeValues: {
      ':now': now,
      ':after': after,
      ...(before !== undefined && { ':before': before }),
    },
  });
  const abortSignal = AbortSignal.timeout(1_000);
  await writeIf(() => table.client.send(update, { abortSignal }));
}

/**
 * Requires the sign-ins as read: if two requests use one link, the second finds it gone.
 *
 * @returns whether they were written.
 */
export async function replaceSignIns(
  table: Table,
  { id, signIns: before }: Pick<ApiKey, 'id' | 'signIns'>,
  after: readonly SignIn[],
): Promise<boolean> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: apiKeyKey(id),
    UpdateExpression: 'SET signIns = :after',
    ConditionExpression: `${isThere} AND ${before === undefined ? nobodySignedIn : areTheSame}`,
    ExpressionAttributeValues: {
      ':after': after,
      ...(before !== undefined && { ':before': before }),
    },
  });
  const { written } = await writeIf(() => table.client.send(update));
  return written;
}

const inUse = z.pick(organizationSchema, {
  cursorSecret: true,
  contactDigest: true,
  limits: true,
  webhooks: true,
  sendRetentionDays: true,
  keepRefusedShapes: true,
});

export const toApiKey = (item: StoredItem): ApiKey =>
  withScopesOfRole(readItem('API key', apiKeySchema, item));

/** Expires some time after the key, if the key expires. */
export function apiKeyItemOf(apiKey: ApiKey): StoredItem {
  const { id, person, createdAt, revokedAt = Infinity, validUntil = Infinity } = apiKey;
  const end = Math.min(revokedAt, validUntil);
  // The audit names people for as long as it has what they did.
  const keptDays = person === undefined ? listedForDays : auditRetentionDays;
  return {
    ...apiKeyKey(id),
    ...(person === undefined ? apiKeyListIndexKey(id, createdAt) : personIndexKeysOf(apiKey)),
    ...apiKey,
    ...(end < Infinity && { expiresAt: expiryAfter(end, keptDays) }),
  };
}

/** None once removed. Nor of operators: the deployment's setting finds them, and no list has them. */
const personIndexKeysOf = ({ id, person, createdAt, revokedAt }: ApiKey) =>
  person === undefined ||
  person.entered !== undefined ||
  person.role === operatorRole ||
  revokedAt !== undefined
    ? {}
    : personIndexKeys(id, person.email, createdAt);

export const newApiKeyItem = (apiKey: ApiKey) => ({
  Put: { Item: apiKeyItemOf(apiKey), ...onlyIf(isNew) },
});

function updateFrom(before: ApiKey, after: ApiKey): TransactionItem {
  const [oldItem, newItem] = [apiKeyItemOf(before), apiKeyItemOf(after)];
  const change = {
    set: changedAttributes(oldItem, newItem),
    remove: Object.keys(oldItem).filter((name) => newItem[name] === undefined),
  };
  return { Update: updateIf(apiKeyKey(after.id), change, [is('updatedAt', before.updatedAt)]) };
}

const managesAt = (now: number) => ({
  expression: `${isNotRevoked} AND ${isNotExpired} AND ${mayManage}`,
  values: { ':now': now, ':manage': 'manage_organization' satisfies Scope },
});

function requireManager(id: ApiKeyId, now: number): TransactionItem {
  const { expression, values } = managesAt(now);
  return {
    ConditionCheck: {
      Key: apiKeyKey(id),
      ConditionExpression: expression,
      ExpressionAttributeValues: values,
    },
  };
}

type KeyFilter = {
  readonly ProjectionExpression?: string;
  readonly FilterExpression: string;
  readonly ExpressionAttributeValues: Readonly<Record<string, unknown>>;
};

function queryKeys(table: Table, organizationId: OrganizationId, filter: KeyFilter) {
  const { pk, skPrefix } = apiKeysOf(organizationId);
  return paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :skPrefix)',
      ...filter,
      ExpressionAttributeValues: {
        ':pk': pk,
        ':skPrefix': skPrefix,
        ...filter.ExpressionAttributeValues,
      },
      ConsistentRead: true,
    },
  );
}
