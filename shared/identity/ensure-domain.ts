import {
  type DomainStanding,
  isHeld,
  othersOf,
  requireLease,
} from '#shared/domains/domain-ownership';
import { hasStopped, type SesDomain } from '#shared/domains/ses-domain';
import { SesRefusal } from '#shared/domains/ses-identities';
import type { TenantState } from '#shared/organizations/organization';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { WantedIdentity } from './identity.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import type { DomainTitle } from './settle-ownership.ts';

/** SES's state of the wanted domain, or AWS's reason for refusing it. */
export type EnsuredDomain =
  | {
      readonly kind: 'ready';
      /** `undefined` while another organization is removing it from SES: the next check gets it. */
      readonly found: SesDomain | undefined;
      /** Where organizations are tenants of SES. */
      readonly tenant?: TenantState;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** An organization, and the domains that its sends use. */
export type DomainUser = {
  readonly organizationId: OrganizationId;
  readonly used: readonly string[];
};

/**
 * Makes sure SES has the domain. SES has it once, tagged with one of the organizations that want it, and gives all of
 * them the same records. The owner gets it under its own tag, with its MAIL FROM domain and associated with its tenant.
 * Steps run only if still missing, so a repeated call completes what a dead process started.
 *
 * @param known SES's state, if read a moment ago.
 */
export async function ensureDomain(
  { domain, mailFromDomain }: WantedIdentity,
  { organizationId, used }: DomainUser,
  { holding, standing }: DomainTitle,
  { now, ses, tenants, domains }: Pick<IdentityUpkeep, 'now' | 'ses' | 'tenants' | 'domains'>,
  known?: SesDomain,
): Promise<EnsuredDomain> {
  if (isHeld(standing.lease, now())) return { kind: 'ready', found: undefined };
  try {
    const found =
      known ?? (await ses.get(domain)) ?? (await createDomain(domain, organizationId, ses));
    if (!isOfService(found, organizationId, standing)) {
      return { kind: 'refused', reason: ofSomebodyElse };
    }
    if (found.forwardsBounces) await ses.stopForwarding(domain);
    const isOwner = holding === 'owner';
    if (isOwner && found.ownerId !== organizationId) await ses.tag(domain, organizationId);
    const leads = isOwner || (standing.owner === undefined && found.ownerId === organizationId);
    const isSet = found.mailFrom?.domain === mailFromDomain;
    if (leads && !isSet) await ses.setMailFrom(domain, mailFromDomain);
    const mailFrom =
      leads && !isSet ? ({ domain: mailFromDomain, status: 'PENDING' } as const) : found.mailFrom;
    const { owner } = standing;
    if (isOwner && owner?.takenFrom !== undefined) {
      await tenants?.dissociate(owner.takenFrom, domain);
      await domains.storeLeft(domain, owner);
    }
    // What sends use has to be the tenant's: from now on every send names the tenant. Only of these is it certain that
    // SES has them and that they are this organization's.
    const certain = new Set([
      ...(isOwner && found.dkim.status === 'SUCCESS' ? [domain] : []),
      ...used,
    ]);
    const tenant = await tenants?.ensure(organizationId, [...certain]);
    return { kind: 'ready', found: { ...found, mailFrom }, ...(tenant && { tenant }) };
  } catch (error) {
    if (error instanceof SesRefusal) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

/** Whether this service created the domain in SES, for this organization or for another that wants it. */
export const isOfService = (
  { ownerId }: SesDomain,
  organizationId: OrganizationId,
  standing: DomainStanding,
): boolean =>
  ownerId === organizationId || othersOf(standing, organizationId).some((one) => one === ownerId);

async function createDomain(
  domain: string,
  organizationId: OrganizationId,
  ses: IdentityUpkeep['ses'],
): Promise<SesDomain> {
  await ses.create(domain, organizationId);
  const created = await ses.get(domain);
  if (created === undefined)
    throw new Error('SES does not have the domain that it has just created');
  return created;
}

/**
 * Makes SES look for the records again after it stopped, which it only does for a new domain. If the domain has an
 * owner, only the owner may.
 */
export async function restartDomain(
  domain: string,
  organizationId: OrganizationId,
  { holding, standing }: DomainTitle,
  upkeep: Pick<IdentityUpkeep, 'now' | 'ses' | 'tenants' | 'domains'>,
): Promise<void> {
  const { now, ses, tenants, domains } = upkeep;
  if (holding !== 'owner' && standing.owner !== undefined) return;
  const lease = await domains.beginRemoval(domain, organizationId, now());
  if (lease === undefined) return;
  const found = await ses.get(domain);
  if (found !== undefined && hasStopped(found) && isOfService(found, organizationId, standing)) {
    await tenants?.dissociate(organizationId, domain);
    requireLease(lease, now());
    await ses.delete(domain);
  }
  await domains.endRemoval(domain, lease);
}

/** Taking a domain that SES verified for someone else would mean sending in their name. */
export const ofSomebodyElse =
  "The domain is already in this AWS account's SES, but not for this organization. The operator can hand it over: see From identities in infra/README.md.";
