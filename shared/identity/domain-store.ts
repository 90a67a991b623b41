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

export const openDomainStore = (table: Table) => ({
  ...openOwners(table),
  ...openClaims(table),
  ...openLeases(table),
});
export type DomainStore = ReturnType<typeof openDomainStore>;

function openOwners(table: Table) {
  async function read(domain: string, now: number): Promise<DomainOwnership> {
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
   * Requires that the organization still wants the domain as `identity` says. The previous owner's loss is stored in
   * the same transaction.
   */
  async function storeOwner(
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
            ...(loss.change.after.wanted?.domain === domain
              ? [claimDomain(domain, loss.change.after.organizationId, after.claimedAt)]
              : []),
            ...loss.notices.map((notice) => putNotice(notice)),
          ]),
    ]);
  }

  /** The domain has left its previous organization's tenant. */
  async function storeLeft(domain: string, owner: DomainOwner): Promise<void> {
    const { takenFrom: _, ...after } = owner;
    await transactWrite(table, [putOwner(domain, owner, after)]);
  }

  return { read, storeOwner, storeLeft };
}

const openClaims = (table: Table) => ({
  /**
   * For an organization that wanted the domain before claims were recorded. Requires that it still wants it as `identity`
   * says: nobody ends the claim of one that doesn't.
   */
  async claim(
    domain: string,
    identity: Identity,
    now: number,
  ): Promise<'stored' | 'changed_meanwhile'> {
    return storeIfUnchanged(table, [
      claimDomain(domain, identity.organizationId, now),
      requireVersion(identity, identity),
    ]);
  },
});

/** Leases on domains in SES, and adoptions: domains that SES already had. */
function openLeases(table: Table) {
  /** @returns `undefined` while another process holds the lease. */
  async function beginLease(
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
          ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now',
          ExpressionAttributeNames: { '#until': 'until' },
          ExpressionAttributeValues: { ':now': now },
        }),
      ),
    );
    return outcome.written ? lease : undefined;
  }

  /**
   * An expired lease may be another process's by now, which stays. Its row expires on its own: functions that read
   * domains take leases too, and may delete nothing.
   */
  async function endLease(domain: string, { id }: DomainLease): Promise<void> {
    await writeIf(() =>
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: domainLeaseKey(domain),
          UpdateExpression: 'SET #until = :over',
          ConditionExpression: 'id = :id',
          ExpressionAttributeNames: { '#until': 'until' },
          ExpressionAttributeValues: { ':id': id, ':over': 0 },
        }),
      ),
    );
  }

  /** Records how SES has the domain before anything about it changes. The first record stays. */
  async function storeAdoption(
    domain: string,
    adoption: DomainAdoption,
  ): Promise<'stored' | 'adopted_by_other'> {
    const outcome = await writeIf(() =>
      table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: { ...domainAdoptionKey(domain), ...adoption },
          ConditionExpression: 'attribute_not_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    if (outcome.written || outcome.existing === undefined) return 'stored';
    const { organizationId } = domainAdoptionSchema.parse(outcome.existing);
    return organizationId === adoption.organizationId ? 'stored' : 'adopted_by_other';
  }

  async function endAdoption(domain: string): Promise<void> {
    await table.client.send(
      new DeleteCommand({ TableName: table.name, Key: domainAdoptionKey(domain) }),
    );
  }

  return { beginLease, endLease, storeAdoption, endAdoption };
}

/** A repeated claim keeps the first one's time and the vouch: `hasVouch` says whether that still counts. */
export const claimDomain = (
  domain: string,
  organizationId: OrganizationId,
  now: number,
): TransactionItem => {
  const { set, names, values } = claimBasis(domain, organizationId, now);
  return {
    Update: {
      Key: domainClaimKey(domain, organizationId),
      UpdateExpression: `${set}, claimedAt = if_not_exists(claimedAt, :now) REMOVE expiresAt`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    },
  };
};

/** What a claim and a vouch both write. The operator's list has the row from the first of them on. */
export function claimBasis(domain: string, organizationId: OrganizationId, now: number) {
  const { gsi2pk, gsi2sk } = domainClaimListIndexKey(domain, organizationId, now);
  return {
    set: 'SET #domain = :domain, organizationId = :organizationId, gsi2pk = if_not_exists(gsi2pk, :gsi2pk), gsi2sk = if_not_exists(gsi2sk, :gsi2sk)',
    names: { '#domain': 'domain' },
    values: {
      ':domain': domain,
      ':organizationId': organizationId,
      ':now': now,
      ':gsi2pk': gsi2pk,
      ':gsi2sk': gsi2sk,
    },
  };
}

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
  Delete: {
    Key: domainKey(domain),
    ConditionExpression: 'organizationId = :organizationId',
    ExpressionAttributeValues: { ':organizationId': organizationId },
  },
});

const putOwner = (
  domain: string,
  before: DomainOwner | undefined,
  after: DomainOwner,
): TransactionItem => ({
  Put: {
    Item: { ...domainKey(domain), domain, ...after },
    ...(before === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'organizationId = :before AND claimedAt = :claimedAt',
          ExpressionAttributeValues: {
            ':before': before.organizationId,
            ':claimedAt': before.claimedAt,
          },
        }),
  },
});
