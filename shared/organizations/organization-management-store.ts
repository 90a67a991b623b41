import type { ApiKey } from '#shared/access/api-key';
import { newApiKeyItem } from '#shared/access/api-key-store';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { changedAttributes, updateExpressionOf } from '#shared/table/attribute-change';
import { organizationKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { requireItem, type TransactionItem, transactWrite } from '#shared/table/transact-write';
import { type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import type { Organization } from './organization.ts';
import { getOrganization, newOrganizationItem } from './organization-store.ts';

const isSameVersion = 'updatedAt = :before';

/** Stores a new organization with its first key and the audit entries: all of them or none. */
export async function createOrganization(
  table: Table,
  organization: Organization,
  firstKey: ApiKey,
  entries: readonly AuditEntry[],
): Promise<void> {
  const outcome = await transactWrite(table, [
    { Put: newOrganizationItem(table, organization) },
    { Put: newApiKeyItem(table, firstKey) },
    ...entries.map((entry) => putAuditEntry(table, entry)),
  ]);
  if (!outcome.committed) throw new Error('A new organization has the id of an existing one');
}

/** Stores a new key of an organization that is there, and the audit entry with it. */
export async function addApiKey(
  table: Table,
  apiKey: ApiKey,
  entry: AuditEntry,
): Promise<'stored' | 'unknown'> {
  const outcome = await transactWrite(table, [
    requireItem(table, organizationKey(organizationIdOf(apiKey.id))),
    { Put: newApiKeyItem(table, apiKey) },
    putAuditEntry(table, entry),
  ]);
  return outcome.committed ? 'stored' : 'unknown';
}

/**
 * Changes an organization that still is as `before` says, and stores the audit entry with it. Only the
 * attributes that differ are written, so webhook subscriptions that others change meanwhile stay.
 *
 * @param provided what must hold beside it, for the change to be made.
 */
export async function replaceOrganization(
  table: Table,
  before: Organization,
  after: Organization,
  entry: AuditEntry,
  provided: readonly TransactionItem[] = [],
): Promise<'stored' | 'changed_meanwhile'> {
  const set = changedAttributes(before, after);
  const remove = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const update = updateExpressionOf({ set, remove });
  const outcome = await transactWrite(table, [
    {
      Update: {
        TableName: table.name,
        Key: organizationKey(after.id),
        ...update,
        ConditionExpression: isSameVersion,
        ExpressionAttributeValues: {
          ...update.ExpressionAttributeValues,
          ':before': before.updatedAt,
        },
      },
    },
    putAuditEntry(table, entry),
    ...provided,
  ]);
  return outcome.committed ? 'stored' : 'changed_meanwhile';
}

export const openOrganizationManagementStore = (table: Table) => ({
  create: (organization: Organization, firstKey: ApiKey, entries: readonly AuditEntry[]) =>
    createOrganization(table, organization, firstKey, entries),
  get: (id: OrganizationId) => getOrganization(table, id),
  replace: (before: Organization, after: Organization, entry: AuditEntry) =>
    replaceOrganization(table, before, after, entry),
  addApiKey: (apiKey: ApiKey, entry: AuditEntry) => addApiKey(table, apiKey, entry),
});
export type OrganizationManagementStore = ReturnType<typeof openOrganizationManagementStore>;
