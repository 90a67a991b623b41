import { newAuditEntry } from '#shared/audit/audit-entry';
import { domainClaimNotFound } from '#shared/domains/domain-claim';
import type { DomainClaimStore } from '#shared/identity/domain-claim-store';
import { afterRelease } from '#shared/identity/identity';
import { changedMeanwhile } from '#shared/identity/identity-faults';
import type { ReleaseDomainQuery } from './endpoint.ts';

/**
 * Takes a domain from an organization, as the operator. Its sends are refused at once; the checks take the domain out
 * of SES, and then its claim is over.
 *
 * @throws ServiceError `domain_claim_not_found`, `concurrent_change`
 */
export async function releaseDomain(
  domain: string | undefined,
  { organizationId }: ReleaseDomainQuery,
  claims: DomainClaimStore,
): Promise<void> {
  if (domain === undefined) throw domainClaimNotFound();
  const now = claims.now();
  const [{ identity: before, organization }, standing] = await Promise.all([
    claims.readIdentity(organizationId),
    claims.readDomain(domain, now),
  ]);
  if (before?.removing.includes(domain)) return;
  const audit = newAuditEntry(
    organizationId,
    'operator',
    { action: 'domain.released', target: domain },
    now,
  );
  const isInUse = organization?.identity?.domain === domain;
  if (before !== undefined && (isInUse || before.wanted?.domain === domain)) {
    const change = { before, after: afterRelease(before, domain, now) };
    const outcome = await claims.storeRelease(change, isInUse ? { identity: null } : {}, audit);
    if (outcome === 'changed_meanwhile') throw changedMeanwhile();
    return;
  }
  const isNamed =
    standing.owner?.organizationId === organizationId ||
    standing.claims.some((claim) => claim.organizationId === organizationId);
  if (!isNamed) throw domainClaimNotFound();
  const outcome = await claims.storeEnd(domain, organizationId, standing, audit);
  if (outcome === 'changed_meanwhile') throw changedMeanwhile();
}
