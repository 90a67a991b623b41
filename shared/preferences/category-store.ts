import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import type { Organization } from '#shared/organizations/organization';
import { exists, is, isNew, onlyIf, updateIf } from '#shared/table/conditional-update';
import { categoriesOf, categoryKey, organizationKey } from '#shared/table/keys';
import { getItem, queryAll, readItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { requireItem, storeIfUnchanged, transactWrite } from '#shared/table/writes';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Category, categorySchema } from './preferences.ts';

/** Sorted by key. */
export async function listCategories(
  table: Table,
  organizationId: OrganizationId,
): Promise<Category[]> {
  const items = await queryAll(table, categoriesOf(organizationId));
  return items.map((item) => readItem('category', categorySchema, item));
}

export async function getCategory(
  table: Table,
  organizationId: OrganizationId,
  key: string,
): Promise<Category | undefined> {
  const item = await getItem(table, categoryKey(organizationId, key));
  return item === undefined ? undefined : readItem('category', categorySchema, item);
}

/** For the seed of a twin, whose audit starts later. */
export async function putCategory(
  table: Table,
  organizationId: OrganizationId,
  category: Category,
): Promise<void> {
  const item = newCategoryItem(organizationId, category);
  await table.client.send(new PutCommand({ TableName: table.name, ...item }));
}

/** Requires that the organization exists. */
export async function createCategory(
  table: Table,
  organizationId: OrganizationId,
  category: Category,
  entry: AuditEntry,
): Promise<'stored' | 'key_taken'> {
  const outcome = await transactWrite(table, [
    { Put: newCategoryItem(organizationId, category) },
    requireItem(organizationKey(organizationId)),
    putAuditEntry(entry),
  ]);
  if (outcome.committed) return 'stored';
  if (outcome.conditions[0]?.failed === true) return 'key_taken';
  throw new Error('The organization was deleted in between');
}

export async function renameCategory(
  table: Table,
  organizationId: OrganizationId,
  before: Category,
  after: Category,
  entry: AuditEntry,
): Promise<'stored' | 'changed_meanwhile'> {
  return storeIfUnchanged(table, [
    {
      Update: updateIf(categoryKey(organizationId, before.key), { set: { name: after.name } }, [
        is('name', before.name),
      ]),
    },
    putAuditEntry(entry),
  ]);
}

/**
 * Requires the organization as read, when none of its policies named the category. A policy that names it requires
 * that it exists, so only one of the two happens.
 */
export async function deleteCategory(
  table: Table,
  seen: Organization,
  category: Category,
  entry: AuditEntry,
): Promise<'deleted' | 'changed_meanwhile'> {
  const outcome = await transactWrite(table, [
    { Delete: { Key: categoryKey(seen.id, category.key), ...onlyIf(exists) } },
    {
      ConditionCheck: { Key: organizationKey(seen.id), ...onlyIf(is('updatedAt', seen.updatedAt)) },
    },
    putAuditEntry(entry),
  ]);
  return outcome.committed ? 'deleted' : 'changed_meanwhile';
}

const newCategoryItem = (organizationId: OrganizationId, category: Category) => ({
  Item: { ...categoryKey(organizationId, category.key), ...category },
  ...onlyIf(isNew),
});
