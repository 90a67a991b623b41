import { isDeepStrictEqual } from 'node:util';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { categoryKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { requireItem } from '#shared/table/transact-write';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Organization } from './organization.ts';
import { replaceOrganization } from './organization-management-store.ts';
import { getOrganization } from './organization-store.ts';

/**
 * Changes an organization's policies. The category that a new or changed policy names must be there at that
 * moment, since another request may be deleting it.
 */
export function replacePolicies(
  table: Table,
  before: Organization,
  after: Organization,
  entry: AuditEntry,
): Promise<'stored' | 'changed_meanwhile'> {
  const changed = Object.entries(after.policies).filter(
    ([key, policy]) => !isDeepStrictEqual(policy, before.policies[key]),
  );
  const categories = changed.flatMap(([, policy]) => policy.categoryKey ?? []);
  const checks = categories.map((key) => requireItem(table, categoryKey(after.id, key)));
  return replaceOrganization(table, before, after, entry, checks);
}

export const openPolicyStore = (table: Table) => ({
  get: (id: OrganizationId) => getOrganization(table, id),
  replace: (before: Organization, after: Organization, entry: AuditEntry) =>
    replacePolicies(table, before, after, entry),
});
export type PolicyStore = ReturnType<typeof openPolicyStore>;
