import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import type { Organization } from '#shared/organizations/organization';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { categoriesOf, categoryKey, organizationKey } from '#shared/table/keys';
import { getItem, queryAll, readItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { requireItem, storeIfUnchanged, transactWrite } from '#shared/table/writes';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Category, categorySchema } from './preferences.ts';

const isNew = 'attribute_not_exists(pk)';
const isThere = 'attribute_exists(pk)';
const hasSameName = '#name = :before';
const isSameVersion = 'updatedAt = :seen';

export const openCategoryStore = (table: Table) => ({ ...openReads(table), ...openWrites(table) });
export type CategoryStore = ReturnType<typeof openCategoryStore>;

function openReads(table: Table) {
  const getOrganization = openOrganizationStore(table).get;

  /** Sorted by key. */
  async function list(organizationId: OrganizationId): Promise<Category[]> {
    const items = await queryAll(table, categoriesOf(organizationId));
    return items.map((item) => readItem('category', categorySchema, item));
  }

  async function get(organizationId: OrganizationId, key: string): Promise<Category | undefined> {
    const item = await getItem(table, categoryKey(organizationId, key));
    return item === undefined ? undefined : readItem('category', categorySchema, item);
  }

  return { getOrganization, list, get };
}

function openWrites(table: Table) {
  async function putNew(organizationId: OrganizationId, category: Category): Promise<void> {
    const item = newCategoryItem(organizationId, category);
    await table.client.send(new PutCommand({ TableName: table.name, ...item }));
  }

  /** Requires that the organization exists. */
  async function create(
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

  async function rename(
    organizationId: OrganizationId,
    before: Category,
    after: Category,
    entry: AuditEntry,
  ): Promise<'stored' | 'changed_meanwhile'> {
    return storeIfUnchanged(table, [
      {
        Update: {
          Key: categoryKey(organizationId, before.key),
          UpdateExpression: 'SET #name = :after',
          ConditionExpression: hasSameName,
          ExpressionAttributeNames: { '#name': 'name' },
          ExpressionAttributeValues: { ':before': before.name, ':after': after.name },
        },
      },
      putAuditEntry(entry),
    ]);
  }

  /**
   * Requires the organization as read, when none of its policies named the category. A policy that names it requires
   * that it exists, so only one of the two happens.
   */
  async function remove(
    seen: Organization,
    category: Category,
    entry: AuditEntry,
  ): Promise<'deleted' | 'changed_meanwhile'> {
    const outcome = await transactWrite(table, [
      {
        Delete: {
          Key: categoryKey(seen.id, category.key),
          ConditionExpression: isThere,
        },
      },
      {
        ConditionCheck: {
          Key: organizationKey(seen.id),
          ConditionExpression: isSameVersion,
          ExpressionAttributeValues: { ':seen': seen.updatedAt },
        },
      },
      putAuditEntry(entry),
    ]);
    return outcome.committed ? 'deleted' : 'changed_meanwhile';
  }

  return { putNew, create, rename, delete: remove };
}

const newCategoryItem = (organizationId: OrganizationId, category: Category) => ({
  Item: { ...categoryKey(organizationId, category.key), ...category },
  ConditionExpression: isNew,
});
