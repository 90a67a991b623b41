import type { Manager } from '#shared/access/admit-caller';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { type DomainLease, othersOf, requireLease } from '#shared/domains/domain-ownership';
import type { RequestLog } from '#shared/observability/request-log';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Identity } from './identity.ts';
import { changedMeanwhile } from './identity-changes.ts';
import { sendingChange, sendingOf } from './identity-items.ts';
import type { IdentityContext } from './identity-store.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import { noIdentityOf, withoutRemoved, withoutWanted } from './unwanted-identity.ts';

/**
 * From the first effect on, sends from the domain are refused; then the domain leaves SES, and then others may have it.
 * The scheduled checks complete it.
 */
export async function deleteDomain(
  { place, identity: before, organization }: IdentityContext,
  { action, domain }: { readonly action: string; readonly domain: string },
  { caller: { organizationId, actor }, log }: DomainDeleter,
  management: RemovalUpkeep,
): Promise<void> {
  const now = management.now();
  const sending = sendingOf(place, organization);
  const after = withoutWanted(before ?? noIdentityOf(place), sending, now);
  const audit = newAuditEntry(
    organizationId,
    actor,
    { action, target: domain, before: { domain } },
    now,
  );
  const outcome = await management.identities.storeChange(
    { before, after },
    sendingChange(place, organization, sending === undefined ? undefined : null),
    { audit },
  );
  if (outcome === 'changed_meanwhile') throw changedMeanwhile();

  await tryRemoveDomains(after, management, log);
}

type DomainDeleter = { readonly caller: Manager; readonly log: RequestLog };

type RemovalUpkeep = Pick<IdentityUpkeep, 'now' | 'identities' | 'domains' | 'ses' | 'tenants'>;

/**
 * Unwanted domains leave SES before others can have them, so the tag of a domain in SES always names an organization
 * with a claim. If the process dies in between, the domain is still listed for the next check.
 */
export async function removeDomains(identity: Identity, upkeep: RemovalUpkeep): Promise<void> {
  const { now, identities, domains } = upkeep;
  let before: Identity | undefined = identity;
  for (const domain of identity.removing) {
    if (before === undefined) return;
    const lease = await domains.beginRemoval(domain, identity.organizationId, now());
    // Another process is removing it, or did a moment ago.
    if (lease === undefined) return;
    await leaveInSes(domain, identity.organizationId, lease, upkeep);
    const after = withoutRemoved(before, domain, now());
    const outcome = await identities.storeRemoval(before, after, domain);
    await domains.endRemoval(domain, lease);
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
  const { now, domains } = upkeep;
  const lease = await domains.beginRemoval(domain, organizationId, now());
  if (lease === undefined) return;
  await leaveInSes(domain, organizationId, lease, upkeep);
  await domains.endRemoval(domain, lease);
}

/**
 * Reads the claims under the lease: a later claim sees the lease, and leaves SES alone. A domain that another
 * organization wants stays in SES under that one's tag, since deleting it would mean new DKIM records. An adopted
 * domain stays as it was before.
 */
async function leaveInSes(
  domain: string,
  organizationId: OrganizationId,
  lease: DomainLease,
  { now, domains, ses, tenants }: RemovalUpkeep,
): Promise<void> {
  const standing = await domains.read(domain, now());
  const [heir] = othersOf(standing, organizationId);
  const found = await ses.get(domain);
  const isGivenBack = standing.adoption !== undefined && heir === undefined;
  if (isGivenBack && found?.ownerId !== organizationId) await domains.endAdoption(domain);
  if (found === undefined) return;
  await tenants?.dissociate(organizationId, domain);
  // A domain with another tag belongs to that organization, or wasn't created by this service.
  if (found.ownerId !== organizationId) return;
  requireLease(lease, now());
  if (standing.adoption !== undefined && heir === undefined) {
    await ses.giveBack(domain, standing.adoption);
    await domains.endAdoption(domain);
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
