import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import type { Notice } from '#shared/notices/notice';
import { putNotice } from '#shared/notices/notice-store';
import type { Organization } from '#shared/organizations/organization';
import { toOrganization } from '#shared/organizations/organization-store';
import { batchGet } from '#shared/table/batch-get';
import { domainKey, identityKey, organizationKey } from '#shared/table/keys';
import { readItem } from '#shared/table/read-item';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/transact-write';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { putDeliveries } from '#shared/webhooks/delivery-store';
import { type Identity, identitySchema } from './identity.ts';
import {
  deleteVersion,
  type IdentityChange,
  type OrganizationChange,
  putVersion,
  updateOrganization,
} from './identity-items.ts';

/** An organization's identity, and the organization with what its sends use, as of one moment. */
export type IdentityContext = {
  readonly identity: Identity | undefined;
  readonly organization: Organization | undefined;
};

/** Who is told of a change: webhooks, people, and the log of changes. */
export type ToldOfChange = {
  readonly deliveries?: readonly Delivery[];
  readonly notices?: readonly Notice[];
  readonly audit?: AuditEntry;
};

const isNew = 'attribute_not_exists(pk)';
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
    identity: identity && readItem('identity', identitySchema, identity),
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

/** Stores another version, what sends use from now on, and what is told of it. */
export async function storeChange(
  table: Table,
  change: IdentityChange,
  organization: OrganizationChange,
  { deliveries = [], notices = [], audit }: ToldOfChange = {},
): Promise<'stored' | 'changed_meanwhile'> {
  const outcome = await transactWrite(table, [
    putVersion(table, change),
    ...updateOrganization(table, change.after.organizationId, organization),
    ...putDeliveries(table, deliveries),
    ...notices.map((notice) => putNotice(table, notice)),
    ...(audit === undefined ? [] : [putAuditEntry(table, audit)]),
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
  storeChange: (change: IdentityChange, organization: OrganizationChange, told?: ToldOfChange) =>
    storeChange(table, change, organization, told),
  storeRemoval: (before: Identity, after: Identity | undefined, domain: string) =>
    storeRemoval(table, before, after, domain),
  remove: (before: Identity) => removeIdentity(table, before),
});
export type IdentityStore = ReturnType<typeof openIdentityStore>;
