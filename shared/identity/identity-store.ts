import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import type { Notice } from '#shared/notices/notice';
import { putNotice } from '#shared/notices/notice-store';
import type { Organization } from '#shared/organizations/organization';
import { toOrganization } from '#shared/organizations/organization-store';
import {
  dueIdentityIndexPartition,
  identitiesOf,
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

type ToldOfChange = {
  readonly deliveries?: readonly Delivery[];
  readonly notices?: readonly Notice[];
  readonly audit?: AuditEntry;
};

async function updateIf(
  table: Table,
  { organizationId, otherDomain }: IdentityPlace,
  update: {
    readonly UpdateExpression: string;
    readonly ConditionExpression: string;
    readonly ExpressionAttributeValues: Record<string, unknown>;
  },
): Promise<boolean> {
  const Key = identityKey(organizationId, otherDomain);
  const command = new UpdateCommand({ TableName: table.name, Key, ...update });
  const { written } = await writeIf(() => table.client.send(command));
  return written;
}

export const openIdentityStore = (table: Table) => ({
  ...openReads(table),
  ...openWrites(table),
  ...openRemovals(table),
  ...openAnswers(table),
});
export type IdentityStore = ReturnType<typeof openIdentityStore>;

const openReads = (table: Table) => ({
  /** Strongly consistent. Reads the default's identity unless `otherDomain` is given. */
  async read(organizationId: OrganizationId, otherDomain?: string): Promise<IdentityContext> {
    const place = placeOf({ organizationId, otherDomain });
    const keys = [
      identityKey(organizationId, otherDomain),
      organizationKey(organizationId),
    ] as const;
    const itemOf = await batchGet(table, keys);
    const [identity, organization] = keys.map(itemOf);
    return {
      place,
      identity: identity && toIdentity(identity),
      organization: organization && toOrganization(organization),
    };
  },

  /** With the organization, strongly consistent. */
  async readBoth(organizationId: OrganizationId, domain: string): Promise<BothContexts> {
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
  },

  /** The default's first, strongly consistent. */
  async readAll(organizationId: OrganizationId): Promise<Identity[]> {
    const items = await queryAll(table, identitiesOf(organizationId));
    return items.map(toIdentity);
  },
});

/** At most one of the two has the domain. */
export type BothContexts = {
  readonly byDefault: IdentityContext;
  readonly beside: IdentityContext;
};

export const contextWith = ({ byDefault, beside }: BothContexts): IdentityContext =>
  beside.identity === undefined ? byDefault : beside;

const toIdentity = (item: StoredItem): Identity => readItem('identity', identitySchema, item);

const openWrites = (table: Table) => ({
  /**
   * Writes the claim to the domain, too: both or neither.
   *
   * @param elsewhere the identity that must not have the domain: two requests may add it in two places.
   */
  async storeWanted(
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
  },

  /** Moves the former default beside the new one: all of it or nothing. */
  async storeDefault(
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
  },

  /** Also stores what sends use from now on, and the messages about it. */
  async storeChange(
    change: IdentityChange,
    organization: OrganizationChange,
    { deliveries = [], notices = [], audit }: ToldOfChange = {},
  ): Promise<'stored' | 'changed_meanwhile'> {
    return storeIfUnchanged(table, [
      putVersion(change),
      ...updateOrganization(change.after.organizationId, organization),
      ...putDeliveries(deliveries),
      ...notices.map((notice) => putNotice(notice)),
      ...(audit === undefined ? [] : [putAuditEntry(audit)]),
    ]);
  },
});

const openRemovals = (table: Table) => ({
  /**
   * Also ends the claim and the ownership. `after` is `undefined` when nothing of the identity is left. A domain that
   * has a new owner stays with it.
   */
  async storeRemoval(
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
  },

  /** For an identity with nothing in SES. */
  async remove(before: Identity): Promise<'stored' | 'changed_meanwhile'> {
    return storeIfUnchanged(table, [deleteVersion(before)]);
  },
});

/** These writes don't make a new version of the identity. */
const openAnswers = (table: Table) => ({
  /** @returns `false` if another request asked within the last `forMs`. */
  async beginAsking(place: IdentityPlace, now: number, forMs: number): Promise<boolean> {
    return updateIf(table, place, {
      UpdateExpression: 'SET askedAt = :now',
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(askedAt) OR askedAt <= :before)',
      ExpressionAttributeValues: { ':now': now, ':before': now - forMs },
    });
  },

  /** Does nothing if the identity was changed in between. */
  async keepAnswer({ updatedAt, ...place }: Identity, seen: KeptAnswer): Promise<void> {
    await updateIf(table, place, {
      UpdateExpression: 'SET seen = :seen',
      ConditionExpression: 'updatedAt = :version',
      ExpressionAttributeValues: { ':seen': seen, ':version': updatedAt },
    });
  },
});

// When an identity is due: `identity.ts`. How often that is checked: `infra/constructs/pipelines/identity-checks.ts`.

const keySchema = z.object({ pk: z.string(), sk: z.string() });

export const openDueIdentityStore = (table: Table) => ({
  /** The longest due come first. */
  async find(now: number, limit: number): Promise<IdentityPlace[]> {
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
  },
});
export type DueIdentityStore = ReturnType<typeof openDueIdentityStore>;
