import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { categoriesOf, categoryKey } from '#shared/table/keys';
import { queryAll } from '#shared/table/query-all';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';

const categorySchema = z.object({
  key: z.string(),
  name: z.string(),
});
/** A topic of an organization's bulk emails. A contact is subscribed until it says no. */
export type Category = z.infer<typeof categorySchema>;

const keyIsFree = 'attribute_not_exists(pk)';

/** Stores a new category. An existing one with the same key is never overwritten. */
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

/** Lists the organization's categories, by key. */
export async function listCategories(
  table: Table,
  organizationId: OrganizationId,
): Promise<Category[]> {
  const items = await queryAll(table, categoriesOf(organizationId));
  return items.map((item) => categorySchema.parse(item));
}

export const openCategoryStore = (table: Table) => ({
  list: (organizationId: OrganizationId) => listCategories(table, organizationId),
});
export type CategoryStore = ReturnType<typeof openCategoryStore>;
