import { newAuditEntry } from '#shared/audit/audit-entry';
import { type DomainClaimView, viewClaim } from '#shared/domains/domain-claim';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import type { DomainClaimStore } from '#shared/identity/domain-claim-store';
import { checkedNow } from '#shared/identity/identity';
import { changedMeanwhile } from '#shared/identity/identity-changes';
import type { endpoint } from './endpoint.ts';

/**
 * Says, as the operator, that a domain belongs to an organization. If the organization waits for that, the next check
 * makes the domain its own. Repeating it changes nothing.
 */
export async function vouchForDomain(
  { body: { domain, organizationId } }: Pick<RequestTo<typeof endpoint>, 'body'>,
  claims: DomainClaimStore,
): Promise<DomainClaimView> {
  const now = claims.now();
  const [{ identity: before, organization }, standing] = await Promise.all([
    claims.readIdentity(organizationId, domain),
    claims.readDomain(domain, now),
  ]);
  if (organization === undefined) throw new ServiceError('organization_not_found');
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
