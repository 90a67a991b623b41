import { type Actor, newAuditEntry } from '#shared/audit/audit-entry';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import type { TableAndClock } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Identity } from './identity.ts';
import type { IdentityChange } from './identity-items.ts';
import { type IdentityContext, removeIdentity, storeIdentityChange } from './identity-store.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import {
  getDeletedOrganization,
  getOrganizationWithIdentities,
  storeOrganizationDeletion,
} from './organization-deletion-store.ts';
import { noIdentityOf, withoutWanted } from './unwanted-identity.ts';

/** Confirms which organization is meant. */
type DeletionRequest = {
  readonly caller: { readonly actor: Actor };
  readonly path: { readonly id: OrganizationId };
  readonly query: { readonly name: string };
};

/**
 * 1. One transaction puts a mark in place of the organization's item, marks its domains for removal from SES, and frees
 *    its link domains. From the next request on, its keys are refused, its links show nothing and its sends can't be
 *    read.
 * 2. The scheduled `check-identities` deletes its tenant (`leaveTenant`) and domains in SES.
 * 3. The scheduled `purge-organizations` begins an hour later: it removes the contents of emails, then what doesn't
 *    expire, such as keys, templates and contacts, and last the mark. Everything else expires.
 *
 * Safe to repeat.
 */
export async function deleteOrganization(
  { caller: { actor }, path: { id }, query: { name } }: DeletionRequest,
  { table, now: readClock }: TableAndClock,
): Promise<undefined> {
  const { organization, identities } = await getOrganizationWithIdentities(table, id);
  if (organization === undefined) {
    if ((await getDeletedOrganization(table, id)) !== undefined) return;
    throw new ServiceError('organization_not_found');
  }
  if (organization.name !== name) throw invalidField('name', "must be the organization's name");
  const deletedAt = readClock();
  const change = { action: 'organization.deleted', target: id, before: { name } };
  const outcome = await storeOrganizationDeletion(
    table,
    organization,
    afterDeletion(organization, identities, deletedAt),
    newAuditEntry(id, actor, change, deletedAt),
  );
  const isGone = outcome === 'deleted' || (await getDeletedOrganization(table, id));
  if (!isGone) throw new ServiceError('concurrent_change');
}

/**
 * The changes by which the scheduled checks remove its domains from SES.
 *
 * @returns none if SES has nothing of the organization.
 */
export function afterDeletion(
  { id, identity: sending, tenant }: Organization,
  identities: readonly Identity[],
  now: number,
): readonly IdentityChange[] {
  const byDefault = identities.find(({ otherDomain }) => otherDomain === undefined);
  const isOnlyTenant = tenant !== undefined && identities.length === 0;
  const place = { organizationId: id };
  const ofDefault = {
    before: byDefault,
    after: withoutWanted(byDefault ?? noIdentityOf(place), sending, now),
  };
  const others = identities.filter(
    // An unwanted domain is already being removed from SES.
    ({ otherDomain, wanted }) => otherDomain !== undefined && wanted !== undefined,
  );
  return [
    ...(byDefault !== undefined || isOnlyTenant ? [ofDefault] : []),
    ...others.map((before) => ({ before, after: withoutWanted(before, undefined, now) })),
  ];
}

/**
 * `check-identities` does this before it removes the domains: SES doesn't delete a domain that a tenant has. Each step
 * may be repeated.
 *
 * @returns the identity afterwards; `undefined` when nothing is left to do.
 */
export async function leaveTenant(
  before: IdentityContext['identity'],
  { table, now, tenants }: Pick<IdentityUpkeep, 'table' | 'now' | 'tenants'>,
): Promise<IdentityContext['identity']> {
  if (before === undefined) return undefined;
  // A domain that was set at the moment of the deletion is still wanted.
  const after = before.wanted === undefined ? before : withoutWanted(before, undefined, now());
  if (after !== before) {
    const outcome = await storeIdentityChange(table, { before, after }, {});
    if (outcome === 'changed_meanwhile') return undefined;
  }
  await tenants?.delete(before.organizationId);
  if (after.removing.length > 0) return after;
  await removeIdentity(table, after);
  return undefined;
}
