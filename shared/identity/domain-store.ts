import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { domainClaimSchema } from '#shared/domains/domain-claim';
import {
  type DomainAdoption,
  type DomainLease,
  type DomainOwner,
  type DomainOwnership,
  domainAdoptionSchema,
  domainLeaseSchema,
  domainOwnerSchema,
  leaseMs,
} from '#shared/domains/domain-ownership';
import type { Notice } from '#shared/notices/notice';
import { putNotice } from '#shared/notices/notice-store';
import { anyOf, is, isAtMost, isNew, onlyIf, updateIf } from '#shared/table/conditional-update';
import { isExpired, toSeconds } from '#shared/table/expiry';
import {
  domainAdoptionKey,
  domainClaimKey,
  domainClaimListIndexKey,
  domainKey,
  domainLeaseKey,
  domainPartition,
} from '#shared/table/keys';
import { getItem, queryAll } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import {
  storeIfUnchanged,
  type TransactionItem,
  transactWrite,
  writeIf,
} from '#shared/table/writes';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Identity } from './identity.ts';
import {
  type IdentityChange,
  type OrganizationChange,
  putVersion,
  requireVersion,
  updateOrganization,
} from './identity-items.ts';

const sortKeySchema = z.object({ sk: z.string() });

export type DomainLoss = {
  readonly change: IdentityChange;
  readonly organization: OrganizationChange;
  readonly notices: readonly Notice[];
};

export async function readDomainOwnership(
  table: Table,
  domain: string,
  now: number,
): Promise<DomainOwnership> {
  const rows = await queryAll(table, { pk: domainPartition(domain) });
  const items = rows.filter((item) => !isExpired(item, now));
  const under = (prefix: string) =>
    items.filter((item) => sortKeySchema.parse(item).sk.startsWith(prefix));
  const [owner] = under('DOMAIN');
  const [lease] = under('LEASE');
  const [adoption] = under('ADOPTED');
  return {
    owner: owner && domainOwnerSchema.parse(owner),
    claims: under('CLAIM#').map((item) => domainClaimSchema.parse(item)),
    lease: lease && domainLeaseSchema.parse(lease),
    adoption: adoption && domainAdoptionSchema.parse(adoption),
  };
}

/**
 * Requires that the organization still wants the domain as `identity` says. The previous owner's loss is stored in the
 * same transaction.
 */
export async function storeDomainOwner(
  table: Table,
  domain: string,
  { before, after }: { readonly before: DomainOwner | undefined; readonly after: DomainOwner },
  identity: Identity,
  loss?: DomainLoss,
): Promise<'stored' | 'changed_meanwhile'> {
  return storeIfUnchanged(table, [
    putOwner(domain, before, after),
    requireVersion(identity, identity),
    ...(loss === undefined
      ? []
      : [
          putVersion(loss.change),
          ...updateOrganization(loss.change.after.organizationId, loss.organization),
          ...loss.notices.map((notice) => putNotice(notice)),
        ]),
  ]);
}

/** The domain has left its previous organization's tenant. */
export async function storeDomainLeft(
  table: Table,
  domain: string,
  owner: DomainOwner,
): Promise<void> {
  const { takenFrom: _, ...after } = owner;
  await transactWrite(table, [putOwner(domain, owner, after)]);
}

// Leases on domains in SES, and adoptions: domains that SES already had.

/** @returns `undefined` while another process holds the lease. */
export async function beginDomainLease(
  table: Table,
  domain: string,
  organizationId: OrganizationId,
  now: number,
): Promise<DomainLease | undefined> {
  const lease = { organizationId, id: randomUUID(), until: now + leaseMs };
  const outcome = await writeIf(() =>
    table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...domainLeaseKey(domain), ...lease, expiresAt: toSeconds(lease.until) + 1 },
        ...onlyIf(anyOf(isNew, isAtMost('until', now))),
      }),
    ),
  );
  return outcome.written ? lease : undefined;
}

/**
 * An expired lease may be another process's by now, which stays. Its row expires on its own: functions that read
 * domains take leases too, and may delete nothing.
 */
export async function endDomainLease(
  table: Table,
  domain: string,
  { id }: DomainLease,
): Promise<void> {
  await writeIf(() =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        ...updateIf(domainLeaseKey(domain), { set: { until: 0 } }, [is('id', id)]),
      }),
    ),
  );
}

/** Records how SES has the domain before anything about it changes. The first record stays. */
export async function storeDomainAdoption(
  table: Table,
  domain: string,
  adoption: DomainAdoption,
): Promise<'stored' | 'adopted_by_other'> {
  const outcome = await writeIf(() =>
    table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...domainAdoptionKey(domain), ...adoption },
        ...onlyIf(isNew),
      }),
    ),
  );
  if (outcome.written || outcome.existing === undefined) return 'stored';
  const { organizationId } = domainAdoptionSchema.parse(outcome.existing);
  return organizationId === adoption.organizationId ? 'stored' : 'adopted_by_other';
}

export async function endDomainAdoption(table: Table, domain: string): Promise<void> {
  await table.client.send(
    new DeleteCommand({ TableName: table.name, Key: domainAdoptionKey(domain) }),
  );
}

/** A repeated claim keeps the first one's time and the vouch: `hasVouch` says whether that still counts. */
export function claimDomain(
  domain: string,
  organizationId: OrganizationId,
  now: number,
): TransactionItem {
  const { set, setOnce } = claimBasis(domain, organizationId, now);
  return {
    Update: updateIf(
      domainClaimKey(domain, organizationId),
      { set, setOnce: { ...setOnce, claimedAt: now }, remove: ['expiresAt'] },
      [],
    ),
  };
}

/** What a claim and a vouch both write. The operator's list has the row from the first of them on. */
export const claimBasis = (domain: string, organizationId: OrganizationId, now: number) => ({
  set: { domain, organizationId },
  setOnce: domainClaimListIndexKey(domain, organizationId, now),
});

export const deleteClaim = (domain: string, organizationId: OrganizationId): TransactionItem => ({
  Delete: { Key: domainClaimKey(domain, organizationId) },
});

/** Strongly consistent. */
export async function ownerOfDomain(
  table: Table,
  domain: string,
): Promise<OrganizationId | undefined> {
  const item = await getItem(table, domainKey(domain));
  return item && domainOwnerSchema.parse(item).organizationId;
}

/** Requires that the owner is still this organization. */
export const releaseDomain = (domain: string, organizationId: OrganizationId): TransactionItem => ({
  Delete: { Key: domainKey(domain), ...onlyIf(is('organizationId', organizationId)) },
});

const putOwner = (
  domain: string,
  before: DomainOwner | undefined,
  after: DomainOwner,
): TransactionItem => ({
  Put: {
    Item: { ...domainKey(domain), domain, ...after },
    ...(before === undefined
      ? onlyIf(isNew)
      : onlyIf(is('organizationId', before.organizationId), is('claimedAt', before.claimedAt))),
  },
});
