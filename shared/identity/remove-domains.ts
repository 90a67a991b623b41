import type { Manager } from '#shared/access/admit-caller';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { type DomainLease, othersOf, requireLease } from '#shared/domains/domain-ownership';
import type { RequestLog } from '#shared/observability/request-log';
import type { OrganizationId } from '#shared/tokens/resource-id';
import {
  beginDomainLease,
  endDomainAdoption,
  endDomainLease,
  readDomainOwnership,
} from './domain-store.ts';
import type { Identity, SendingIdentity, WantedIdentity } from './identity.ts';
import { changedMeanwhile } from './identity-changes.ts';
import {
  type IdentityChange,
  type OrganizationChange,
  sendingChange,
  sendingOf,
} from './identity-items.ts';
import { storeDomainRemoval, storeIdentityChange } from './identity-store.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import { replacedOf, type WantingContext } from './settle-identity.ts';
import { withoutRemoved, withoutReplacement, withoutWanted } from './unwanted-identity.ts';

/**
 * From the first effect on, sends from the domain are refused; then it leaves SES, and then others may have it. The
 * scheduled checks complete it. Deleting a domain that is to replace the default leaves the one in use alone.
 */
export async function deleteDomain(
  context: WantingContext,
  deleter: DomainDeleter,
  management: RemovalUpkeep,
): Promise<void> {
  const { identity: before } = context;
  const { domain } = before.wanted;
  const deletion = { action: 'domain.deleted', domain };
  const used = replacedOf(context);
  const wanted = used && (await wantedBefore(used, before.organizationId, management));
  if (wanted === undefined) return clearPlace(context, deletion, deleter, management);
  const after = withoutReplacement(before, wanted, management.now());
  await storeDeletion({ before, after }, {}, deletion, deleter, management);
}

/**
 * As the organization wanted the domain in use before it was to be replaced.
 *
 * @returns `undefined` if it's another organization's by now.
 */
async function wantedBefore(
  used: SendingIdentity,
  organizationId: OrganizationId,
  { table, now, ses }: RemovalUpkeep,
): Promise<WantedIdentity | undefined> {
  const { domain, status } = used;
  const [found, { claims, owner }] = await Promise.all([
    ses.get(domain),
    readDomainOwnership(table, domain, now()),
  ]);
  if (status !== 'active' && owner?.organizationId !== organizationId) return undefined;
  const claim = claims.find((one) => one.organizationId === organizationId);
  return {
    ...used,
    mailFromDomain: found?.mailFrom?.domain ?? `bounces.${domain}`,
    createdAt: claim?.claimedAt ?? now(),
  };
}

type Deletion = { readonly action: string; readonly domain: string };

/** Deletes all that the organization has in this place: a domain in use, and one that is to replace it. */
export async function clearPlace(
  { place, identity: before, organization }: WantingContext,
  deletion: Deletion,
  deleter: DomainDeleter,
  management: RemovalUpkeep,
): Promise<void> {
  const sending = sendingOf(place, organization);
  const after = withoutWanted(before, sending, management.now());
  const change = sendingChange(place, organization, sending === undefined ? undefined : null);
  await storeDeletion({ before, after }, change, deletion, deleter, management);
}

async function storeDeletion(
  identity: IdentityChange,
  organization: OrganizationChange,
  { action, domain }: Deletion,
  { caller: { organizationId, actor }, log }: DomainDeleter,
  management: RemovalUpkeep,
): Promise<void> {
  const change = { action, target: domain, before: { domain } };
  const audit = newAuditEntry(organizationId, actor, change, management.now());
  const outcome = await storeIdentityChange(management.table, identity, organization, { audit });
  if (outcome === 'changed_meanwhile') throw changedMeanwhile();
  await tryRemoveDomains(identity.after, management, log);
}

type DomainDeleter = { readonly caller: Manager; readonly log: RequestLog };

export type RemovalUpkeep = Pick<IdentityUpkeep, 'table' | 'now' | 'ses' | 'tenants'>;

/**
 * Unwanted domains leave SES before others can have them, so the tag of a domain in SES always names an organization
 * with a claim. If the process dies in between, the domain is still listed for the next check.
 */
export async function removeDomains(identity: Identity, upkeep: RemovalUpkeep): Promise<void> {
  const { table, now } = upkeep;
  let before: Identity | undefined = identity;
  for (const domain of identity.removing) {
    if (before === undefined) return;
    const lease = await beginDomainLease(table, domain, identity.organizationId, now());
    // Another process is removing it, or did a moment ago.
    if (lease === undefined) return;
    await leaveInSes(domain, identity.organizationId, lease, upkeep);
    const after = withoutRemoved(before, domain, now());
    const outcome = await storeDomainRemoval(table, before, after, domain);
    await endDomainLease(table, domain, lease);
    // The request that changed it in between, or the next check, goes on.
    if (outcome === 'changed_meanwhile') return;
    before = after;
  }
}

/** Removes a domain from SES that an organization has there without wanting it. */
export async function removeUnwanted(
  { organizationId, domain }: { readonly organizationId: OrganizationId; readonly domain: string },
  upkeep: RemovalUpkeep,
): Promise<void> {
  const { table, now } = upkeep;
  const lease = await beginDomainLease(table, domain, organizationId, now());
  if (lease === undefined) return;
  await leaveInSes(domain, organizationId, lease, upkeep);
  await endDomainLease(table, domain, lease);
}

/**
 * Reads the claims under the lease: a later claim sees the lease, and leaves SES alone. A domain that another
 * organization wants stays in SES under that one's tag, since deleting it would mean new DKIM records. An adopted
 * domain gets back its former state.
 */
async function leaveInSes(
  domain: string,
  organizationId: OrganizationId,
  lease: DomainLease,
  { table, now, ses, tenants }: RemovalUpkeep,
): Promise<void> {
  const ownership = await readDomainOwnership(table, domain, now());
  const [heir] = othersOf(ownership, organizationId);
  const found = await ses.get(domain);
  const adoption = heir === undefined ? ownership.adoption : undefined;
  if (adoption !== undefined && found?.ownerId !== organizationId) {
    await endDomainAdoption(table, domain);
  }
  if (found === undefined) return;
  await tenants?.dissociate(organizationId, domain);
  // A domain with another tag belongs to that organization, or wasn't created by this service.
  if (found.ownerId !== organizationId) return;
  requireLease(lease, now());
  if (adoption !== undefined) {
    await ses.giveBack(domain, adoption);
    await endDomainAdoption(table, domain);
    return;
  }
  await (heir === undefined ? ses.delete(domain) : ses.tag(domain, heir));
}

/** Runs at the end of a request, which succeeds even if this fails: the next check tries again. */
export async function tryRemoveDomains(
  identity: Identity,
  upkeep: RemovalUpkeep,
  log: RequestLog,
): Promise<void> {
  try {
    await removeDomains(identity, upkeep);
  } catch (error) {
    log.error('domain not yet out of SES', error, { organizationId: identity.organizationId });
  }
}
