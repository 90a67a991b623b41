import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { organizationKey } from '#shared/table/keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Organization, organizationSchema } from './organization.ts';

const keyIsFree = 'attribute_not_exists(pk)';

/** Stores a new organization. Never overwrites an existing one of the same id. */
export async function putNewOrganization(table: Table, organization: Organization): Promise<void> {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: { ...organizationKey(organization.id), ...organization },
      ConditionExpression: keyIsFree,
    }),
  );
}

/** Reads an organization. */
export async function getOrganization(
  table: Table,
  id: OrganizationId,
): Promise<Organization | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: organizationKey(id) }),
  );
  return Item === undefined ? undefined : toOrganization(Item);
}

/** @throws ZodError when the stored item is not an organization. */
export const toOrganization = (item: StoredItem): Organization => organizationSchema.parse(item);

export const openOrganizationStore = (table: Table) => ({
  get: (id: OrganizationId) => getOrganization(table, id),
});
export type OrganizationStore = ReturnType<typeof openOrganizationStore>;
