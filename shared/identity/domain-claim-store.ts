import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { domainClaimSchema, vouchExpiryOf } from '#shared/domains/domain-claim';
import { type DomainClaimView, viewClaim } from '#shared/domains/domain-claim-view';
import { type DomainOwnership, domainOwnerSchema } from '#shared/domains/domain-ownership';
import { isAbsent, isPresent, updateIf } from '#shared/table/conditional-update';
import { isExpired } from '#shared/table/expiry';
import {
  domainClaimKey,
  domainClaimListPartition,
  domainKey,
  organizationKey,
} from '#shared/table/keys';
import { idAt, listPositionOf } from '#shared/table/list-position';
import { type List, type ListRange, readListPage } from '#shared/table/list-reader';
import { batchGet } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { requireItem, storeIfUnchanged, type TransactionItem } from '#shared/table/writes';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { claimBasis, deleteClaim, releaseDomain } from './domain-store.ts';
import {
  type IdentityChange,
  type OrganizationChange,
  putVersion,
  updateOrganization,
} from './identity-items.ts';

const claimIdSchema = z
  .string()
  .check(z.refine((text) => organizationIdSchema.safeParse(text.split('#')[0]).success));
export const claimPositionSchema = listPositionOf(claimIdSchema).brand<'DomainClaimPosition'>();
type ClaimPosition = z.infer<typeof claimPositionSchema>;

const allClaims: List<ClaimPosition> = {
  index: 'gsi2',
  partitions: [domainClaimListPartition],
  positionSchema: claimPositionSchema,
};

/** Leaves out claims that have ended since the index was read, and expired vouches. */
export async function readDomainClaimPage(
  table: Table,
  range: ListRange<ClaimPosition>,
  now: number,
) {
  const { entries, next } = await readListPage(table, allClaims, range);
  const named = entries.map(({ position }) => {
    const [organizationId, domain = ''] = idAt(position).split('#');
    return { domain, claim: domainClaimKey(domain, organizationIdSchema.parse(organizationId)) };
  });
  const owners = new Map(named.map(({ domain }) => [domain, domainKey(domain)]));
  const ofClaim = await batchGet(
    table,
    named.map(({ claim }) => claim),
  );
  const ofOwner = await batchGet(table, [...owners.values()]);
  const claims = named.flatMap(({ domain, claim }): DomainClaimView[] => {
    const item = ofClaim(claim);
    if (item === undefined || isExpired(item, now)) return [];
    const owner = ofOwner(domainKey(domain));
    return [
      viewClaim(domain, domainClaimSchema.parse(item), owner && domainOwnerSchema.parse(owner)),
    ];
  });
  return { claims, next };
}

/** An identity that waits for the vouch is checked soon. */
export async function storeDomainVouch(
  table: Table,
  domain: string,
  organizationId: OrganizationId,
  isClaimed: boolean,
  identity: IdentityChange | undefined,
  audit: AuditEntry,
): Promise<'stored' | 'changed_meanwhile'> {
  return storeIfUnchanged(table, [
    vouchFor(domain, organizationId, isClaimed, audit.at),
    requireItem(organizationKey(organizationId)),
    ...(identity === undefined ? [] : [putVersion(identity)]),
    putAuditEntry(audit),
  ]);
}

/** For a claim without anything in SES: a vouch, or a leftover of a deleted organization. */
export async function endDomainClaim(
  table: Table,
  domain: string,
  organizationId: OrganizationId,
  { owner }: DomainOwnership,
  audit: AuditEntry,
): Promise<'stored' | 'changed_meanwhile'> {
  return storeIfUnchanged(table, [
    deleteClaim(domain, organizationId),
    ...(owner?.organizationId === organizationId ? [releaseDomain(domain, organizationId)] : []),
    putAuditEntry(audit),
  ]);
}

/** The scheduled checks remove the domain from SES, then end the claim. */
export async function storeDomainRelease(
  table: Table,
  identity: IdentityChange,
  organization: OrganizationChange,
  audit: AuditEntry,
): Promise<'stored' | 'changed_meanwhile'> {
  return storeIfUnchanged(table, [
    putVersion(identity),
    ...updateOrganization(identity.after.organizationId, organization),
    putAuditEntry(audit),
  ]);
}

/** A repeated one lasts as long as a new one. */
function vouchFor(
  domain: string,
  organizationId: OrganizationId,
  isClaimed: boolean,
  now: number,
): TransactionItem {
  const { set, setOnce } = claimBasis(domain, organizationId, now);
  const expiry = isClaimed ? {} : { expiresAt: vouchExpiryOf(now) };
  return {
    Update: updateIf(
      domainClaimKey(domain, organizationId),
      { set: { ...set, vouchedAt: now, ...expiry }, setOnce },
      [isClaimed ? isPresent('claimedAt') : isAbsent('claimedAt')],
    ),
  };
}
