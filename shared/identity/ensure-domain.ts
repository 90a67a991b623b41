import type { TenantState } from '#shared/organizations/organization';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { SendingIdentity, WantedIdentity } from './identity.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import type { SesDomain } from './ses-domain.ts';
import { SesRefusal } from './ses-identities.ts';

/** Whether SES has the domain as it is wanted, or AWS's reason why it will not. */
export type EnsuredDomain =
  | {
      readonly kind: 'ready';
      readonly found: SesDomain;
      /** Where organizations are tenants of SES. */
      readonly tenant?: TenantState;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** The organization, and what its sends use. */
export type DomainOwner = {
  readonly organizationId: OrganizationId;
  readonly sending: SendingIdentity | undefined;
};

/**
 * Makes SES have the domain, with the MAIL FROM domain that is wanted. Each step is made only when it is
 * still missing, so a repetition completes what a process that died has begun.
 */
export async function ensureDomain(
  { domain, mailFromDomain }: WantedIdentity,
  { organizationId, sending }: DomainOwner,
  { ses, tenants }: Pick<IdentityUpkeep, 'ses' | 'tenants'>,
): Promise<EnsuredDomain> {
  try {
    const found = (await ses.get(domain)) ?? (await createDomain(domain, organizationId, ses));
    if (found.ownerId !== organizationId) return { kind: 'refused', reason: ofSomebodyElse };
    if (found.forwardsBounces) await ses.stopForwarding(domain);
    const isSet = found.mailFrom?.domain === mailFromDomain;
    if (!isSet) await ses.setMailFrom(domain, mailFromDomain);
    const mailFrom = isSet
      ? found.mailFrom
      : ({ domain: mailFromDomain, status: 'PENDING' } as const);
    // The domain in use too: from now on every send names the tenant.
    const domains = new Set([domain, ...(sending === undefined ? [] : [sending.domain])]);
    const tenant = await tenants?.ensure(organizationId, [...domains]);
    return { kind: 'ready', found: { ...found, mailFrom }, ...(tenant && { tenant }) };
  } catch (error) {
    if (error instanceof SesRefusal) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

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

/** Whoever could take a domain that SES has verified for somebody else could send in their name. */
export const ofSomebodyElse =
  "The domain is in this AWS account's SES already, and not for this organization. The operator can hand it over: see From identities in infra/README.md.";
