import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { organizationKey } from '#shared/table/keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type Organization, organizationSchema } from './organization.ts';

const keyIsFree = 'attribute_not_exists(pk)';

/** Stores a new organization; an existing one of the same id is never overwritten. */
export async function putNewOrganization(table: Table, organization: Organization): Promise<void> {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: { ...organizationKey(organization.id), ...organization },
      ConditionExpression: keyIsFree,
    }),
  );
}

/** @throws ZodError when the stored item is not an organization. */
export const toOrganization = (item: StoredItem): Organization => organizationSchema.parse(item);
