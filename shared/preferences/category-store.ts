import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { categoriesOf, categoryKey } from '#shared/table/keys';
import { queryAll } from '#shared/table/query-all';
import { readItem } from '#shared/table/read-item';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Category, categorySchema } from './category.ts';

const keyIsFree = 'attribute_not_exists(pk)';

/** The write of a new category. An existing one with the same key is never overwritten. */
export const newCategoryItem = (
  table: Table,
  organizationId: OrganizationId,
  category: Category,
) => ({
  TableName: table.name,
  Item: { ...categoryKey(organizationId, category.key), ...category },
  ConditionExpression: keyIsFree,
});

/** Stores a new category. */
export async function putNewCategory(
  table: Table,
  organizationId: OrganizationId,
  category: Category,
): Promise<void> {
  await table.client.send(new PutCommand(newCategoryItem(table, organizationId, category)));
}

/** Lists the organization's categories, by key. */
export async function listCategories(
  table: Table,
  organizationId: OrganizationId,
): Promise<Category[]> {
  const items = await queryAll(table, categoriesOf(organizationId));
  return items.map((item) => readItem('category', categorySchema, item));
}

export const openCategoryStore = (table: Table) => ({
  list: (organizationId: OrganizationId) => listCategories(table, organizationId),
});
export type CategoryStore = ReturnType<typeof openCategoryStore>;
