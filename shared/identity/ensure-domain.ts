import {
  type DomainOwnership,
  isClaimedBy,
  isHeld,
  othersOf,
  requireLease,
} from '#shared/domains/domain-ownership';
import { hasStopped, type SesDomain } from '#shared/domains/ses-domain';
import { SesRefusal } from '#shared/domains/ses-identities';
import { ServiceError } from '#shared/errors/service-error';
import type { TenantState } from '#shared/organizations/organization';
import type { OrganizationId } from '#shared/tokens/resource-id';
import {
  beginDomainLease,
  endDomainLease,
  readDomainOwnership,
  storeDomainAdoption,
  storeDomainLeft,
} from './domain-store.ts';
import type { WantedIdentity } from './identity.ts';
import { changedMeanwhile } from './identity-changes.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import type { DomainTitle } from './settle-ownership.ts';

/** SES's state of the domain, or AWS's reason for refusing it. */
export type EnsuredDomain =
  | {
      readonly kind: 'ready';
      /** `undefined` while another process creates or removes it, or if it's no longer wanted: the next check sees. */
      readonly found: SesDomain | undefined;
      /** Only if organizations are SES tenants. */
      readonly tenant?: TenantState;
    }
  | { readonly kind: 'refused'; readonly reason: string };

type SesUpkeep = Pick<IdentityUpkeep, 'table' | 'now' | 'ses' | 'tenants'>;

type DomainUser = {
  readonly organizationId: OrganizationId;
  readonly used: readonly string[];
};

/**
 * SES has a domain once, tagged with one of the organizations that want it, and gives all of them the same records. The
 * owner gets it under its own tag, with its MAIL FROM domain and associated with its tenant. A repeated call completes
 * what a dead process started.
 *
 * @param known SES's state, if read a moment ago.
 */
export async function ensureDomain(
  { domain, mailFromDomain }: WantedIdentity,
  { organizationId, used }: DomainUser,
  { holding, ownership }: DomainTitle,
  upkeep: SesUpkeep,
  known?: SesDomain,
): Promise<EnsuredDomain> {
  const { table, now, ses, tenants } = upkeep;
  if (isHeld(ownership.lease, now())) return { kind: 'ready', found: undefined };
  try {
    const present =
      known ?? (await ses.get(domain)) ?? (await createDomain(domain, organizationId, upkeep));
    if (present !== undefined && !isOfService(present, organizationId, ownership)) {
      return { kind: 'refused', reason: ofSomebodyElse };
    }
    const isOwner = holding === 'owner';
    const found = isOwner ? await tagDomain(present, domain, organizationId, upkeep) : present;
    if (found === undefined) return { kind: 'ready', found };
    if (found.forwardsBounces) await ses.stopForwarding(domain);
    const leads = isOwner || (ownership.owner === undefined && found.ownerId === organizationId);
    // Others may send from an adopted domain, and its MAIL FROM records are in DNS.
    const isSet = found.mailFrom?.domain === mailFromDomain || ownership.adoption !== undefined;
    if (leads && !isSet) await ses.setMailFrom(domain, mailFromDomain);
    const mailFrom =
      leads && !isSet ? ({ domain: mailFromDomain, status: 'PENDING' } as const) : found.mailFrom;
    const { owner } = ownership;
    if (isOwner && owner?.takenFrom !== undefined) {
      await tenants?.dissociate(owner.takenFrom, domain);
      await storeDomainLeft(table, domain, owner);
    }
    // Every send names the tenant from now on, so the tenant must have the domains in use. Only for these is it certain
    // that SES has them and that they are this organization's.
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

export const isOfService = (
  { ownerId }: SesDomain,
  organizationId: OrganizationId,
  ownership: DomainOwnership,
): boolean =>
  ownerId === organizationId || othersOf(ownership, organizationId).some((one) => one === ownerId);

const createDomain = (
  domain: string,
  organizationId: OrganizationId,
  upkeep: SesUpkeep,
): Promise<SesDomain | undefined> =>
  whileClaimed(domain, organizationId, upkeep, async () => {
    await upkeep.ses.create(domain, organizationId);
    const created = await upkeep.ses.get(domain);
    if (created === undefined)
      throw new Error('SES does not have the domain that it has just created');
    return created;
  });

async function tagDomain(
  found: SesDomain | undefined,
  domain: string,
  organizationId: OrganizationId,
  upkeep: SesUpkeep,
): Promise<SesDomain | undefined> {
  if (found === undefined || found.ownerId === organizationId) return found;
  return whileClaimed(domain, organizationId, upkeep, async () => {
    await upkeep.ses.tag(domain, organizationId);
    return { ...found, ownerId: organizationId };
  });
}

/**
 * A removal holds the lease from before it looks at SES until the claim has ended. So it overlooks nothing that is done
 * under the lease for a claim that is still there, whatever dies.
 *
 * @returns `undefined` if nothing was done: another process holds the lease, or the claim has ended.
 */
async function whileClaimed<Result>(
  domain: string,
  organizationId: OrganizationId,
  { table, now }: SesUpkeep,
  act: () => Promise<Result>,
): Promise<Result | undefined> {
  const lease = await beginDomainLease(table, domain, organizationId, now());
  if (lease === undefined) return undefined;
  const isClaimed = isClaimedBy(await readDomainOwnership(table, domain, now()), organizationId);
  let result: Result | undefined;
  try {
    requireLease(lease, now());
    if (isClaimed) result = await act();
  } catch (error) {
    if (!mayStillHappen(error)) await endDomainLease(table, domain, lease);
    throw error;
  }
  await endDomainLease(table, domain, lease);
  return result;
}

/** SES didn't answer. */
const mayStillHappen = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'provider_unreachable';

/**
 * Once SES has stopped looking for the records, it only looks for those of a new domain. If the domain has an owner,
 * only the owner may restart it.
 */
export async function restartDomain(
  domain: string,
  organizationId: OrganizationId,
  { holding, ownership }: DomainTitle,
  upkeep: SesUpkeep,
): Promise<void> {
  const { table, now, ses, tenants } = upkeep;
  if (holding !== 'owner' && ownership.owner !== undefined) return;
  if (ownership.adoption !== undefined) return;
  const lease = await beginDomainLease(table, domain, organizationId, now());
  if (lease === undefined) return;
  const found = await ses.get(domain);
  if (found !== undefined && hasStopped(found) && isOfService(found, organizationId, ownership)) {
    await tenants?.dissociate(organizationId, domain);
    requireLease(lease, now());
    await ses.delete(domain);
  }
  await endDomainLease(table, domain, lease);
}

/**
 * Takes over a domain that SES already had, without new DNS records, and while others still send from it. Only the tag
 * changes here. The adoption is recorded first, so the domain can be given back whatever happens after.
 *
 * @throws ServiceError `domain_taken` if it is another organization's or deployment's, or SES hasn't verified it.
 */
export async function adoptDomain(
  domain: string,
  organizationId: OrganizationId,
  { table, now, ses }: Pick<IdentityUpkeep, 'table' | 'now' | 'ses'>,
): Promise<void> {
  const found = await ses.get(domain);
  // Read after SES: a request that gave it back since has ended the adoption, or still holds the lease.
  const ownership = await readDomainOwnership(table, domain, now());
  if (found === undefined || isOfService(found, organizationId, ownership)) return;
  if (isHeld(ownership.lease, now())) throw changedMeanwhile();
  const isFree = found.ownerId === undefined && othersOf(ownership, organizationId).length === 0;
  if (!isFree) throw new ServiceError('domain_taken', ofSomebodyElse);
  if (found.dkim.status !== 'SUCCESS') throw new ServiceError('domain_taken', notVerified);
  const { forwardsBounces } = found;
  const outcome = await storeDomainAdoption(table, domain, { organizationId, forwardsBounces });
  if (outcome === 'adopted_by_other') throw new ServiceError('domain_taken', ofSomebodyElse);
  await ses.tag(domain, organizationId);
}

const notVerified =
  "The domain is in this AWS account's SES, but its DKIM isn't verified. Verify it there, or delete it there to start over.";

/** Using a domain that SES verified for someone else would mean sending in their name. */
export const ofSomebodyElse =
  "The domain is already in this AWS account's SES, but not for this organization. The operator can hand it over: see From identities in infra/README.md.";
