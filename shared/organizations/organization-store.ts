import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { organizationKey } from '#shared/table/keys';
import { organizationListIndexKey } from '#shared/table/organization-keys';
import { readItem } from '#shared/table/read-item';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Organization, organizationSchema } from './organization.ts';

const keyIsFree = 'attribute_not_exists(pk)';

/** The write of a new organization. It never overwrites an existing one of the same id. */
export const newOrganizationItem = (table: Table, organization: Organization) => ({
  TableName: table.name,
  Item: {
    ...organizationKey(organization.id),
    ...organizationListIndexKey(organization.id, organization.createdAt),
    ...organization,
  },
  ConditionExpression: keyIsFree,
});

/** Stores a new organization. */
export async function putNewOrganization(table: Table, organization: Organization): Promise<void> {
  await table.client.send(new PutCommand(newOrganizationItem(table, organization)));
}

/** Reads an organization, strongly consistent. */
export async function getOrganization(
  table: Table,
  id: OrganizationId,
): Promise<Organization | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: organizationKey(id), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : toOrganization(Item);
}

/** @throws UnreadableItemError when the stored item is not an organization. */
export const toOrganization = (item: StoredItem): Organization =>
  readItem('organization', organizationSchema, item);

export const openOrganizationStore = (table: Table) => ({
  get: (id: OrganizationId) => getOrganization(table, id),
});
export type OrganizationStore = ReturnType<typeof openOrganizationStore>;
