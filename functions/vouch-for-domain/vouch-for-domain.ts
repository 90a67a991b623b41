import { newAuditEntry } from '#shared/audit/audit-entry';
import { type DomainClaimView, viewClaim } from '#shared/domains/domain-claim';
import type { DomainClaimStore } from '#shared/identity/domain-claim-store';
import { checkedNow } from '#shared/identity/identity';
import { changedMeanwhile } from '#shared/identity/identity-faults';
import { organizationNotFound } from '#shared/organizations/change-organization';
import type { VouchForDomainRequest } from './endpoint.ts';

/**
 * Says, as the operator, that a domain is an organization's. If the organization waits for that, the next check makes
 * the domain its own. Repeating it changes nothing.
 *
 * @throws ServiceError `organization_not_found`, `concurrent_change`
 */
export async function vouchForDomain(
  { domain, organizationId }: VouchForDomainRequest,
  claims: DomainClaimStore,
): Promise<DomainClaimView> {
  const now = claims.now();
  const [{ identity: before, organization }, standing] = await Promise.all([
    claims.readIdentity(organizationId),
    claims.readDomain(domain, now),
  ]);
  if (organization === undefined) throw organizationNotFound();
  const claim = standing.claims.find((one) => one.organizationId === organizationId);
  const isWaiting = before?.wanted?.domain === domain && before.nextCheckAt !== undefined;
  const change = isWaiting ? { before, after: checkedNow(before, now) } : undefined;
  const audit = newAuditEntry(
    organizationId,
    'operator',
    { action: 'domain.vouched', target: domain },
    now,
  );
  const isClaimed = claim?.claimedAt !== undefined;
  const outcome = await claims.storeVouch(domain, organizationId, isClaimed, change, audit);
  if (outcome === 'changed_meanwhile') throw changedMeanwhile();
  const vouchedAt = claim?.vouchedAt ?? now;
  return viewClaim(domain, { ...claim, organizationId, vouchedAt }, standing.owner);
}
