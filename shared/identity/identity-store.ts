import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import type { Notice } from '#shared/notices/notice';
import { putNotice } from '#shared/notices/notice-store';
import type { Organization } from '#shared/organizations/organization';
import { toOrganization } from '#shared/organizations/organization-store';
import { anyOf, exists, is, isAbsent, isAtMost, updateIf } from '#shared/table/conditional-update';
import { toSeconds } from '#shared/table/expiry';
import {
  dueIdentityIndexPartition,
  identitiesOf,
  identityChangesKey,
  identityKey,
  organizationKey,
  organizationOfPartition,
  otherDomainOf,
  sortableTime,
} from '#shared/table/keys';
import { batchGet, queryAll, readItem } from '#shared/table/reads';
import { tableIndexes } from '#shared/table/table-attributes';
import type { StoredItem, Table } from '#shared/table/table-client';
import { storeIfUnchanged, transactWrite, writeIf } from '#shared/table/writes';
import { hourEndOf, hourOf } from '#shared/timing/hour';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { putDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { claimDomain, deleteClaim, releaseDomain } from './domain-store.ts';
import {
  type Identity,
  type IdentityPlace,
  identitySchema,
  type KeptAnswer,
  placeOf,
} from './identity.ts';
import {
  type DefaultChange,
  deleteVersion,
  type IdentityChange,
  type OrganizationChange,
  putVersion,
  requireVersion,
  updateOrganization,
} from './identity-items.ts';

/** An identity with its organization and what its sends use, read at one moment. */
export type IdentityContext = {
  readonly place: IdentityPlace;
  readonly identity: Identity | undefined;
  readonly organization: Organization | undefined;
};

type ChangeMessages = {
  readonly deliveries?: readonly Delivery[];
  readonly notices?: readonly Notice[];
  readonly audit?: AuditEntry;
};

/** Strongly consistent. The default's, unless `otherDomain` is given. */
export async function getIdentity(
  table: Table,
  organizationId: OrganizationId,
  otherDomain?: string,
): Promise<IdentityContext> {
  const keys = [identityKey(organizationId, otherDomain), organizationKey(organizationId)] as const;
  const itemOf = await batchGet(table, keys);
  const [identity, organization] = keys.map(itemOf);
  return {
    place: placeOf({ organizationId, otherDomain }),
    identity: identity && toIdentity(identity),
    organization: organization && toOrganization(organization),
  };
}

/** At most one of the two has the domain. */
export type BothContexts = {
  readonly byDefault: IdentityContext;
  readonly beside: IdentityContext;
};

/** The default's and the domain's beside it, with the organization. Strongly consistent. */
export async function getBothIdentities(
  table: Table,
  organizationId: OrganizationId,
  domain: string,
): Promise<BothContexts> {
  const keys = [
    identityKey(organizationId),
    identityKey(organizationId, domain),
    organizationKey(organizationId),
  ] as const;
  const itemOf = await batchGet(table, keys);
  const [byDefault, beside, found] = keys.map(itemOf);
  const organization = found && toOrganization(found);
  return {
    byDefault: {
      place: { organizationId },
      identity: byDefault && toIdentity(byDefault),
      organization,
    },
    beside: {
      place: { organizationId, otherDomain: domain },
      identity: beside && toIdentity(beside),
      organization,
    },
  };
}

export const contextWith = ({ byDefault, beside }: BothContexts): IdentityContext =>
  beside.identity === undefined ? byDefault : beside;

/** The default's first, strongly consistent. */
export async function listIdentities(
  table: Table,
  organizationId: OrganizationId,
): Promise<Identity[]> {
  const items = await queryAll(table, identitiesOf(organizationId));
  return items.map(toIdentity);
}

const toIdentity = (item: StoredItem): Identity => readItem('identity', identitySchema, item);

/**
 * Writes the claim to the domain, too: both or neither.
 *
 * @param elsewhere the identity that must not have the domain: two requests may add it in two places.
 */
export async function storeWantedIdentity(
  table: Table,
  { before, after }: IdentityChange,
  domain: string,
  organization: OrganizationChange,
  audit: AuditEntry,
  elsewhere?: Pick<IdentityContext, 'place' | 'identity'>,
): Promise<'stored' | 'changed_meanwhile'> {
  const { organizationId, updatedAt } = after;
  return storeIfUnchanged(table, [
    putVersion({ before, after }),
    claimDomain(domain, organizationId, updatedAt),
    ...updateOrganization(organizationId, organization),
    putAuditEntry(audit),
    ...(elsewhere === undefined ? [] : [requireVersion(elsewhere.place, elsewhere.identity)]),
  ]);
}

/** Moves the former default beside the new one: all of it or nothing. */
export async function storeNewDefault(
  table: Table,
  { byDefault, former, left }: DefaultChange,
  organization: OrganizationChange,
  audit: AuditEntry,
): Promise<'stored' | 'changed_meanwhile'> {
  return storeIfUnchanged(table, [
    putVersion(byDefault),
    deleteVersion(left),
    ...(former === undefined ? [] : [putVersion({ before: undefined, after: former })]),
    ...updateOrganization(left.organizationId, organization),
    putAuditEntry(audit),
  ]);
}

/** Also stores what sends use from now on, and the messages about it. */
export async function storeIdentityChange(
  table: Table,
  change: IdentityChange,
  organization: OrganizationChange,
  { deliveries = [], notices = [], audit }: ChangeMessages = {},
): Promise<'stored' | 'changed_meanwhile'> {
  return storeIfUnchanged(table, [
    putVersion(change),
    ...updateOrganization(change.after.organizationId, organization),
    ...putDeliveries(deliveries),
    ...notices.map((notice) => putNotice(notice)),
    ...(audit === undefined ? [] : [putAuditEntry(audit)]),
  ]);
}

/**
 * Also ends the claim and the ownership. `after` is `undefined` when nothing of the identity is left. A domain that has
 * a new owner stays with it.
 */
export async function storeDomainRemoval(
  table: Table,
  before: Identity,
  after: Identity | undefined,
  domain: string,
): Promise<'stored' | 'changed_meanwhile'> {
  const { organizationId } = before;
  const version = after === undefined ? deleteVersion(before) : putVersion({ before, after });
  const leave = [version, deleteClaim(domain, organizationId)];
  const outcome = await transactWrite(table, [...leave, releaseDomain(domain, organizationId)]);
  if (outcome.committed) return 'stored';
  if (outcome.conditions[0]?.failed === true) return 'changed_meanwhile';
  return storeIfUnchanged(table, leave);
}

/** For an identity with nothing in SES. */
export async function removeIdentity(
  table: Table,
  before: Identity,
): Promise<'stored' | 'changed_meanwhile'> {
  return storeIfUnchanged(table, [deleteVersion(before)]);
}

// These two don't make a new version of the identity.

/** @returns `false` if another request asked within the last `forMs`. */
export async function beginAskingSes(
  table: Table,
  { organizationId, otherDomain }: IdentityPlace,
  now: number,
  forMs: number,
): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: table.name,
    ...updateIf(identityKey(organizationId, otherDomain), { set: { askedAt: now } }, [
      exists,
      anyOf(isAbsent('askedAt'), isAtMost('askedAt', now - forMs)),
    ]),
  });
  const { written } = await writeIf(() => table.client.send(command));
  return written;
}

/** Does nothing if the identity was changed in between. */
export async function keepSesAnswer(
  table: Table,
  { organizationId, otherDomain, updatedAt }: Identity,
  seen: KeptAnswer,
): Promise<void> {
  const command = new UpdateCommand({
    TableName: table.name,
    ...updateIf(identityKey(organizationId, otherDomain), { set: { seen } }, [
      is('updatedAt', updatedAt),
    ]),
  });
  await writeIf(() => table.client.send(command));
}

const countSchema = z.object({ changes: z.int() });

/**
 * Counts one change to the organization's domains in the current hour. The row expires when the hour ends.
 *
 * @returns the hour's changes so far, including this one.
 */
export async function countIdentityChange(
  table: Table,
  organizationId: OrganizationId,
  now: number,
): Promise<number> {
  const { Attributes } = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: identityChangesKey(organizationId, hourOf(now)),
      UpdateExpression: 'SET expiresAt = :expiresAt ADD changes :one',
      ExpressionAttributeValues: { ':expiresAt': toSeconds(hourEndOf(now)), ':one': 1 },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return countSchema.parse(Attributes).changes;
}

// When an identity is due: `identity.ts`. How often that is checked: `infra/constructs/pipelines/identity-checks.ts`.

const keySchema = z.object({ pk: z.string(), sk: z.string() });

/** The longest due come first. */
export async function findDueIdentities(
  table: Table,
  now: number,
  limit: number,
): Promise<IdentityPlace[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi1.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :end',
      ExpressionAttributeValues: {
        ':pk': dueIdentityIndexPartition,
        ':end': sortableTime(now + 1),
      },
      Limit: limit,
    }),
  );
  return Items.map((item) => {
    const key = keySchema.parse(item);
    return placeOf({
      organizationId: organizationIdSchema.parse(organizationOfPartition(key.pk)),
      otherDomain: otherDomainOf(key),
    });
  });
}
