import { newAuditEntry } from '#shared/audit/audit-entry';
import { ownershipRecordName } from '#shared/domains/dns-records';
import { type DomainClaimView, viewClaim } from '#shared/domains/domain-claim-view';
import {
  type DomainOwner,
  type DomainOwnership,
  type DomainProof,
  isClaimedBy,
  proofOf,
} from '#shared/domains/domain-ownership';
import { ServiceError } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { storeDomainVouch } from './domain-claim-store.ts';
import {
  type DomainLoss,
  readDomainOwnership,
  storeDomainClaim,
  storeDomainOwner,
} from './domain-store.ts';
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
 * Makes the organization the owner if it can prove that now: see `domain-ownership.ts`. Its claim is stored before
 * anything is read, so no later removal overlooks it.
 */
export async function settleOwnership(
  context: WantingContext,
  upkeep: OwnershipUpkeep,
): Promise<DomainTitle> {
  const { wanted, organizationId } = context.identity;
  const { domain } = wanted;
  const { table, dns, now } = upkeep;
  let ownership = await readDomainOwnership(table, domain, now());
  if (!isClaimedBy(ownership, organizationId)) {
    await storeDomainClaim(table, domain, context.identity, now());
    ownership = await readDomainOwnership(table, domain, now());
  }
  const { owner } = ownership;
  if (owner?.organizationId === organizationId && owner.proof !== undefined) {
    return { holding: 'owner', ownership };
  }
  const texts = await dns.textsOf(ownershipRecordName(domain));
  const shown = proofOf(domain, organizationId, ownership, texts);
  const proof = shown === 'record' || shown === 'vouched' ? shown : earlierProof(context, owner);
  if (proof === undefined) return { holding: 'unproven', ownership };
  if (owner !== undefined && owner.organizationId !== organizationId) {
    const isKept = await keepsDomain(domain, owner, ownership, texts, upkeep);
    if (isKept) return { holding: 'kept_by_other', ownership };
  }
  return becomeOwner(context, ownership, proof, upkeep);
}

/** A domain that was active before records were required stays active, unless another organization owns it. */
function earlierProof(
  { place, identity, organization }: WantingContext,
  owner: DomainOwner | undefined,
): DomainProof | undefined {
  const sending = sendingOf(place, organization);
  if (sending?.domain !== identity.wanted.domain) return undefined;
  if (owner !== undefined && owner.organizationId !== identity.organizationId) return undefined;
  // Domains beside the default have an entry before they were ever active.
  const wasActive = owner !== undefined && place.otherDomain === undefined;
  return wasActive || sending.status === 'active' ? 'earlier' : undefined;
}

async function keepsDomain(
  domain: string,
  { organizationId, proof }: DomainOwner,
  ownership: DomainOwnership,
  texts: Parameters<typeof proofOf>[3],
  { table }: OwnershipUpkeep,
): Promise<boolean> {
  if (proof === undefined) {
    // A claim from before records were required doesn't count if it has no effect.
    const context = contextWith(await getBothIdentities(table, organizationId, domain));
    if (sendingOf(context.place, context.organization)?.domain !== domain) return false;
  }
  return proofOf(domain, organizationId, ownership, texts) !== 'none';
}

async function becomeOwner(
  { identity }: WantingContext,
  ownership: DomainOwnership,
  proof: DomainProof,
  upkeep: OwnershipUpkeep,
): Promise<DomainTitle> {
  const { organizationId, wanted } = identity;
  const before = ownership.owner;
  const isOwn = before?.organizationId === organizationId;
  const now = upkeep.now();
  const owner: DomainOwner = {
    organizationId,
    claimedAt: isOwn ? before.claimedAt : now,
    proof,
    ...(before !== undefined && !isOwn && { takenFrom: before.organizationId }),
  };
  const loss =
    before === undefined || isOwn
      ? undefined
      : await lossOf(wanted.domain, before.organizationId, now, upkeep);
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
  readonly body: { readonly domain: string; readonly organizationId: OrganizationId };
};

/** If the organization waits for it, the next check makes it the owner. Safe to repeat. */
export async function vouchForDomain(
  { body: { domain, organizationId } }: VouchRequest,
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
    'operator',
    { action: 'domain.vouched', target: domain },
    now,
  );
  const isClaimed = claim?.claimedAt !== undefined;
  const outcome = await storeDomainVouch(table, domain, organizationId, isClaimed, change, audit);
  if (outcome === 'changed_meanwhile') throw changedMeanwhile();
  return viewClaim(domain, { ...claim, organizationId, vouchedAt: now }, ownership.owner);
}
