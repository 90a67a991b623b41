import type { TenantState } from '#shared/organizations/organization';
import {
  type AttributeChange,
  changesNothing,
  updateExpressionOf,
} from '#shared/table/attribute-change';
import { dueIdentityIndexKey, identityKey, organizationKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { TransactionItem } from '#shared/table/transact-write';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Identity, SendingIdentity } from './identity.ts';

/** A version that replaces the one that was read. */
export type IdentityChange = { readonly before: Identity | undefined; readonly after: Identity };

/** What sends use from now on (`null`: nothing), and whether SES lets the organization send. */
export type OrganizationChange = {
  readonly identity?: SendingIdentity | null | undefined;
  readonly tenant?: TenantState | undefined;
};

const isNew = 'attribute_not_exists(pk)';
const isThere = 'attribute_exists(pk)';
const isSameVersion = 'updatedAt = :before';

/** Writes a version in place of the one that was read. */
export function putVersion(table: Table, { before, after }: IdentityChange): TransactionItem {
  const { organizationId, nextCheckAt, seen: _, ...version } = after;
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...identityKey(organizationId),
        organizationId,
        ...version,
        ...(nextCheckAt !== undefined && {
          nextCheckAt,
          ...dueIdentityIndexKey(organizationId, nextCheckAt),
        }),
      },
      ...ifVersion(before),
    },
  };
}

export const deleteVersion = (table: Table, before: Identity): TransactionItem => ({
  Delete: {
    TableName: table.name,
    Key: identityKey(before.organizationId),
    ...ifVersion(before),
  },
});

const ifVersion = (before: Identity | undefined) =>
  before === undefined
    ? { ConditionExpression: isNew }
    : {
        ConditionExpression: isSameVersion,
        ExpressionAttributeValues: { ':before': before.updatedAt },
      };

/** Leaves the rest of the organization alone, which others may change at the same time. */
export function updateOrganization(
  table: Table,
  organizationId: OrganizationId,
  { identity, tenant }: OrganizationChange,
): TransactionItem[] {
  const change: AttributeChange = {
    set: { ...(identity && { identity }), ...(tenant && { tenant }) },
    remove: identity === null ? ['identity'] : [],
  };
  if (changesNothing(change)) return [];
  return [
    {
      Update: {
        TableName: table.name,
        Key: organizationKey(organizationId),
        ConditionExpression: isThere,
        ...updateExpressionOf(change),
      },
    },
  ];
}
