import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import type { DomainClaimStore } from '#shared/identity/domain-claim-store';
import { afterRelease, pendingOf } from '#shared/identity/identity';
import { changedMeanwhile } from '#shared/identity/identity-changes';
import { sendingChange, sendingOf } from '#shared/identity/identity-items';
import type { endpoint } from './endpoint.ts';

/** Sends from it are refused at once. The checks then remove the domain from SES and end its claim. */
export async function releaseDomain(
  {
    path: { domain },
    query: { organizationId },
  }: Pick<RequestTo<typeof endpoint>, 'path' | 'query'>,
  claims: DomainClaimStore,
): Promise<undefined> {
  const now = claims.now();
  const [{ place, identity: before, organization }, standing] = await Promise.all([
    claims.readIdentity(organizationId, domain),
    claims.readDomain(domain, now),
  ]);
  if (before?.removing.includes(domain)) return;
  const audit = newAuditEntry(
    organizationId,
    'operator',
    { action: 'domain.released', target: domain },
    now,
  );
  const sending = sendingOf(place, organization);
  const isInUse = sending?.domain === domain;
  if (before !== undefined && (isInUse || before.wanted?.domain === domain)) {
    const change = { before, after: afterRelease(before, domain, now) };
    // A domain beside the default stays in the list, where it can be set again or deleted.
    const after = place.otherDomain === undefined ? null : sending && pendingOf(sending);
    const left = isInUse ? sendingChange(place, organization, after) : {};
    const outcome = await claims.storeRelease(change, left, audit);
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
