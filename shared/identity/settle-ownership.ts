import { type Actor, newAuditEntry } from '#shared/audit/audit-entry';
import { ownershipRecordName } from '#shared/domains/dns-records';
import { type DomainClaimView, viewClaim } from '#shared/domains/domain-claim-view';
import {
  type DomainOwner,
  type DomainOwnership,
  type DomainProof,
  proofOf,
} from '#shared/domains/domain-ownership';
import { ServiceError } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { storeDomainVouch } from './domain-claim-store.ts';
import { type DomainLoss, readDomainOwnership, storeDomainOwner } from './domain-store.ts';
import {
  afterLoss,
  checkedNow,
  isMovedAway,
  movedAway,
  pendingOf,
  type Verdict,
  type WantedIdentity,
} from './identity.ts';
import { changedMeanwhile } from './identity-changes.ts';
import { sendingChange, sendingOf } from './identity-items.ts';
import { identityNotices } from './identity-notices.ts';
import { contextWith, getBothIdentities } from './identity-store.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import type { WantingContext } from './settle-identity.ts';

/**
 * - `owner`, or `unproven`.
 * - `kept_by_other`: its record is in DNS, and so is the owner's.
 */
type Holding = 'owner' | 'unproven' | 'kept_by_other';

export type DomainTitle = { readonly holding: Holding; readonly ownership: DomainOwnership };

export const noTitle: DomainTitle = {
  holding: 'unproven',
  ownership: { owner: undefined, claims: [], lease: undefined },
};

type OwnershipUpkeep = Pick<IdentityUpkeep, 'table' | 'now' | 'dns'>;

/**
 * Makes the organization the owner if it can prove that now: see `domain-ownership.ts`. The claim was stored with the
 * identity, so no later removal overlooks it.
 */
export async function settleOwnership(
  context: WantingContext,
  upkeep: OwnershipUpkeep,
): Promise<DomainTitle> {
  const { wanted, organizationId } = context.identity;
  const { domain } = wanted;
  const { table, dns, now } = upkeep;
  const ownership = await readDomainOwnership(table, domain, now());
  const { owner } = ownership;
  if (owner?.organizationId === organizationId) return { holding: 'owner', ownership };
  const texts = await dns.textsOf(ownershipRecordName(domain));
  const proof = proofOf(domain, organizationId, ownership, texts);
  if (proof !== 'record' && proof !== 'vouched') return { holding: 'unproven', ownership };
  if (owner !== undefined && proofOf(domain, owner.organizationId, ownership, texts) !== 'none') {
    return { holding: 'kept_by_other', ownership };
  }
  return becomeOwner(context, ownership, proof, upkeep);
}

async function becomeOwner(
  { identity }: WantingContext,
  ownership: DomainOwnership,
  proof: DomainProof,
  upkeep: OwnershipUpkeep,
): Promise<DomainTitle> {
  const { organizationId, wanted } = identity;
  const before = ownership.owner;
  const now = upkeep.now();
  const owner: DomainOwner = {
    organizationId,
    claimedAt: now,
    proof,
    ...(before !== undefined && { takenFrom: before.organizationId }),
  };
  const loss = before && (await lossOf(wanted.domain, before.organizationId, now, upkeep));
  const change = { before, after: owner };
  const outcome = await storeDomainOwner(upkeep.table, wanted.domain, change, identity, loss);
  // Another request changed the domain or one of the identities. The next check judges again.
  if (outcome === 'changed_meanwhile') return { holding: 'unproven', ownership };
  return { holding: 'owner', ownership: { ...ownership, owner } };
}

/** Includes the news for the previous owner. */
async function lossOf(
  domain: string,
  organizationId: OrganizationId,
  now: number,
  { table }: OwnershipUpkeep,
): Promise<DomainLoss | undefined> {
  const both = await getBothIdentities(table, organizationId, domain);
  const { place, identity: before, organization } = contextWith(both);
  if (before === undefined) return undefined;
  const after = afterLoss(before, domain, now);
  const sending = sendingOf(place, organization);
  const isInUse = sending?.domain === domain && sending.status === 'active';
  const news = {
    isBesideDefault: place.otherDomain !== undefined,
    lost: { domain, reason: movedAway },
  };
  return {
    change: { before, after },
    organization: isInUse ? sendingChange(place, organization, pendingOf(sending)) : {},
    notices:
      isInUse && organization !== undefined ? identityNotices(organizationId, news, now) : [],
  };
}

/** SES's answer counts only for the owner, because all who want a domain share its DKIM records. */
export function verdictFor(
  verdict: Verdict,
  { reason }: Pick<WantedIdentity, 'reason'>,
  { holding }: Pick<DomainTitle, 'holding'>,
): Verdict {
  if (holding === 'owner' || verdict.status !== 'active') return verdict;
  if (holding === 'kept_by_other') return { status: 'pending', reason: keptByOther };
  return isMovedAway(reason) ? { status: 'failed', reason } : { status: 'pending' };
}

/** Shown only to someone who can write the domain's DNS. */
const keptByOther =
  'Another organization of this service sends from the domain, and its TXT record is still in DNS. To move the domain here, remove that record.';

type VouchRequest = {
  readonly caller: { readonly actor: Actor };
  readonly body: { readonly domain: string; readonly organizationId: OrganizationId };
};

/** If the organization waits for it, the next check makes it the owner. Safe to repeat. */
export async function vouchForDomain(
  { caller: { actor }, body: { domain, organizationId } }: VouchRequest,
  { table, now: readClock }: TableAndClock,
): Promise<DomainClaimView> {
  const now = readClock();
  const [both, ownership] = await Promise.all([
    getBothIdentities(table, organizationId, domain),
    readDomainOwnership(table, domain, now),
  ]);
  const { identity: before, organization } = contextWith(both);
  if (organization === undefined) throw new ServiceError('organization_not_found');
  const claim = ownership.claims.find((one) => one.organizationId === organizationId);
  const isWaiting = before?.wanted?.domain === domain && before.nextCheckAt !== undefined;
  const change = isWaiting ? { before, after: checkedNow(before, now) } : undefined;
  const audit = newAuditEntry(
    organizationId,
    actor,
    { action: 'domain.vouched', target: domain },
    now,
  );
  const isClaimed = claim?.claimedAt !== undefined;
  const outcome = await storeDomainVouch(table, domain, organizationId, isClaimed, change, audit);
  if (outcome === 'changed_meanwhile') throw changedMeanwhile();
  return viewClaim(domain, { ...claim, organizationId, vouchedAt: now }, ownership.owner);
}
