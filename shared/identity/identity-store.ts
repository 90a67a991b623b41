import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import type { Organization, TenantState } from '#shared/organizations/organization';
import { toOrganization } from '#shared/organizations/organization-store';
import {
  type AttributeChange,
  changesNothing,
  updateExpressionOf,
} from '#shared/table/attribute-change';
import { batchGet } from '#shared/table/batch-get';
import { domainKey, dueIdentityIndexKey, identityKey, organizationKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/transact-write';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { putDeliveries } from '#shared/webhooks/delivery-store';
import { type Identity, identitySchema, type SendingIdentity } from './identity.ts';

/** An organization's identity, and the organization with what its sends use, as of one moment. */
export type IdentityContext = {
  readonly identity: Identity | undefined;
  readonly organization: Organization | undefined;
};

/** A version that replaces the one that was read. */
export type IdentityChange = { readonly before: Identity | undefined; readonly after: Identity };

/** What is so from now on: what sends use (`null`: nothing), and whether SES lets them. */
export type OrganizationChange = {
  readonly identity?: SendingIdentity | null | undefined;
  readonly tenant?: TenantState | undefined;
};

const isNew = 'attribute_not_exists(pk)';
const isThere = 'attribute_exists(pk)';
const isSameVersion = 'updatedAt = :before';
const isOwn = 'organizationId = :organizationId';

/** Reads both, strongly consistent. */
export async function readIdentity(
  table: Table,
  organizationId: OrganizationId,
): Promise<IdentityContext> {
  const keys = [identityKey(organizationId), organizationKey(organizationId)] as const;
  const itemOf = await batchGet(table, keys);
  const [identity, organization] = keys.map(itemOf);
  return {
    identity: identity && identitySchema.parse(identity),
    organization: organization && toOrganization(organization),
  };
}

/**
 * Stores the domain that the organization wants, and claims the domain for it, both or neither.
 *
 * @returns `taken` when another organization has claimed the domain.
 */
export async function storeWanted(
  table: Table,
  { before, after }: IdentityChange,
  domain: string,
  organization: OrganizationChange,
  audit: AuditEntry,
): Promise<'stored' | 'taken' | 'changed_meanwhile'> {
  const { organizationId, updatedAt } = after;
  const outcome = await transactWrite(table, [
    {
      Put: {
        TableName: table.name,
        Item: { ...domainKey(domain), organizationId, claimedAt: updatedAt },
        ConditionExpression: `${isNew} OR ${isOwn}`,
        ExpressionAttributeValues: { ':organizationId': organizationId },
      },
    },
    putVersion(table, { before, after }),
    ...updateOrganization(table, organizationId, organization),
    putAuditEntry(table, audit),
  ]);
  if (outcome.committed) return 'stored';
  return outcome.conditions[0]?.failed === true ? 'taken' : 'changed_meanwhile';
}

/** Stores another version, what sends use from now on, and what webhooks are told of it. */
export async function storeChange(
  table: Table,
  change: IdentityChange,
  organization: OrganizationChange,
  told: { readonly deliveries?: readonly Delivery[]; readonly audit?: AuditEntry } = {},
): Promise<'stored' | 'changed_meanwhile'> {
  const outcome = await transactWrite(table, [
    putVersion(table, change),
    ...updateOrganization(table, change.after.organizationId, organization),
    ...putDeliveries(table, told.deliveries ?? []),
    ...(told.audit === undefined ? [] : [putAuditEntry(table, told.audit)]),
  ]);
  return outcome.committed ? 'stored' : 'changed_meanwhile';
}

/**
 * Stores that a domain is out of SES, and gives it free. `after` is `undefined` when nothing is left. A
 * domain that another organization has claimed since stays that one's.
 */
export async function storeRemoval(
  table: Table,
  before: Identity,
  after: Identity | undefined,
  domain: string,
): Promise<'stored' | 'changed_meanwhile'> {
  const { organizationId } = before;
  const version =
    after === undefined ? deleteVersion(table, before) : putVersion(table, { before, after });
  const release: TransactionItem = {
    Delete: {
      TableName: table.name,
      Key: domainKey(domain),
      ConditionExpression: isOwn,
      ExpressionAttributeValues: { ':organizationId': organizationId },
    },
  };
  const outcome = await transactWrite(table, [version, release]);
  if (outcome.committed) return 'stored';
  if (outcome.conditions[0]?.failed === true) return 'changed_meanwhile';
  return (await transactWrite(table, [version])).committed ? 'stored' : 'changed_meanwhile';
}

/** The write of a version that replaces the one that was read. */
export function putVersion(table: Table, { before, after }: IdentityChange): TransactionItem {
  const { organizationId, nextCheckAt } = after;
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...identityKey(organizationId),
        ...after,
        ...(nextCheckAt !== undefined && dueIdentityIndexKey(organizationId, nextCheckAt)),
      },
      ...ifVersion(before),
    },
  };
}

const deleteVersion = (table: Table, before: Identity): TransactionItem => ({
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

/** The rest of the organization stays as it is, whoever changes it at the same time. */
function updateOrganization(
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

/** Removes an identity of which SES has nothing. */
export async function removeIdentity(
  table: Table,
  before: Identity,
): Promise<'stored' | 'changed_meanwhile'> {
  const outcome = await transactWrite(table, [deleteVersion(table, before)]);
  return outcome.committed ? 'stored' : 'changed_meanwhile';
}

export const openIdentityStore = (table: Table) => ({
  read: (organizationId: OrganizationId) => readIdentity(table, organizationId),
  storeWanted: (
    change: IdentityChange,
    domain: string,
    organization: OrganizationChange,
    audit: AuditEntry,
  ) => storeWanted(table, change, domain, organization, audit),
  storeChange: (
    change: IdentityChange,
    organization: OrganizationChange,
    told?: { readonly deliveries?: readonly Delivery[]; readonly audit?: AuditEntry },
  ) => storeChange(table, change, organization, told),
  storeRemoval: (before: Identity, after: Identity | undefined, domain: string) =>
    storeRemoval(table, before, after, domain),
  remove: (before: Identity) => removeIdentity(table, before),
});
export type IdentityStore = ReturnType<typeof openIdentityStore>;
