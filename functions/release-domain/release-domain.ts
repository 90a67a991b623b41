import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import type { DomainClaimStore } from '#shared/identity/domain-claim-store';
import { afterRelease } from '#shared/identity/identity';
import { changedMeanwhile } from '#shared/identity/identity-changes';
import type { endpoint } from './endpoint.ts';

/**
 * Takes a domain from an organization, as the operator. Sends from it are refused at once; the checks take the domain
 * out of SES and then end its claim.
 */
export async function releaseDomain(
  {
    path: { domain },
    query: { organizationId },
  }: Pick<RequestTo<typeof endpoint>, 'path' | 'query'>,
  claims: DomainClaimStore,
): Promise<undefined> {
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
  if (!isNamed) throw new ServiceError('domain_claim_not_found');
  const outcome = await claims.storeEnd(domain, organizationId, standing, audit);
  if (outcome === 'changed_meanwhile') throw changedMeanwhile();
}
