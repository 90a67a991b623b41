import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { categoriesOf, categoryKey } from '#shared/table/keys';
import { queryAll } from '#shared/table/query-all';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Category, categorySchema } from './category.ts';

const keyIsFree = 'attribute_not_exists(pk)';

/** Stores a new category; an existing one of the same key is never overwritten. */
export async function putNewCategory(
  table: Table,
  organizationId: OrganizationId,
  category: Category,
): Promise<void> {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: { ...categoryKey(organizationId, category.key), ...category },
      ConditionExpression: keyIsFree,
    }),
  );
}

/** The organization's categories, by key. */
export async function listCategories(
  table: Table,
  organizationId: OrganizationId,
): Promise<Category[]> {
  const items = await queryAll(table, categoriesOf(organizationId));
  return items.map((item) => categorySchema.parse(item));
}
