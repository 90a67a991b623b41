import { isDeepStrictEqual } from 'node:util';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { changedAttributes, updateExpressionOf } from '#shared/table/attribute-change';
import { batchGet } from '#shared/table/batch-get';
import { categoryKey, organizationKey } from '#shared/table/keys';
import { idAt, listPositionOf } from '#shared/table/list-position';
import { type List, type ListRange, readListPage } from '#shared/table/list-reader';
import {
  organizationListIndexKey,
  organizationListPartition,
} from '#shared/table/organization-keys';
import { readItem } from '#shared/table/read-item';
import type { StoredItem, Table } from '#shared/table/table-client';
import { requireItem, type TransactionItem, transactWrite } from '#shared/table/transact-write';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { type Organization, organizationSchema } from './organization.ts';

/** Where an organization is in the list of all. */
export const organizationPositionSchema =
  listPositionOf(organizationIdSchema).brand<'OrganizationPosition'>();
export type OrganizationPosition = z.infer<typeof organizationPositionSchema>;

export type OrganizationPage = {
  /** Newest first. */
  readonly organizations: readonly Organization[];
  /** Where the next page starts; `undefined` at the end. */
  readonly next: OrganizationPosition | undefined;
};

export const openOrganizationStore = (table: Table) => ({
  ...openReads(table),
  ...openWrites(table),
});
export type OrganizationStore = ReturnType<typeof openOrganizationStore>;

const isNew = 'attribute_not_exists(pk)';
const isSameVersion = 'updatedAt = :before';

const openReads = (table: Table) => ({
  /** Reads an organization, strongly consistent. */
  async get(id: OrganizationId): Promise<Organization | undefined> {
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: organizationKey(id), ConsistentRead: true }),
    );
    return Item === undefined ? undefined : toOrganization(Item);
  },

  /** Reads a page of all organizations. One that was deleted since the index was read is left out. */
  async readPage(range: ListRange<OrganizationPosition>): Promise<OrganizationPage> {
    const { entries, next } = await readListPage(table, allOrganizations, range);
    const keys = entries.map(({ position }) =>
      organizationKey(organizationIdSchema.parse(idAt(position))),
    );
    const itemOf = await batchGet(table, keys);
    const items = keys.map(itemOf).filter((item) => item !== undefined);
    return { organizations: items.map(toOrganization), next };
  },
});

const openWrites = (table: Table) => ({
  /** Stores a new organization alone: for the seed of a twin, whose audit begins later. */
  async put(organization: Organization): Promise<void> {
    await table.client.send(new PutCommand(newItem(table, organization)));
  },

  /**
   * Stores a new organization and the audit entries: all of it or nothing.
   *
   * @param beside is written with it: its first key.
   */
  async create(
    organization: Organization,
    entries: readonly AuditEntry[],
    beside: readonly TransactionItem[],
  ): Promise<void> {
    const outcome = await transactWrite(table, [
      { Put: newItem(table, organization) },
      ...beside,
      ...entries.map((entry) => putAuditEntry(table, entry)),
    ]);
    if (!outcome.committed) throw new Error('A new organization has the id of an existing one');
  },

  /**
   * Changes an organization that still is as `before` says, and stores the audit entry with it. Only the attributes
   * that differ are written, so webhook subscriptions that others change in between stay.
   *
   * The category that a new or changed policy names must be there at that moment, since another request may be
   * deleting it.
   */
  async replace(
    before: Organization,
    after: Organization,
    entry: AuditEntry,
  ): Promise<'stored' | 'changed_meanwhile'> {
    const outcome = await transactWrite(table, [
      updateFrom(table, before, after),
      putAuditEntry(table, entry),
      ...newCategoriesOf(before, after).map((key) =>
        requireItem(table, categoryKey(after.id, key)),
      ),
    ]);
    return outcome.committed ? 'stored' : 'changed_meanwhile';
  },
});

/** @throws UnreadableItemError when the stored item is not an organization. */
export const toOrganization = (item: StoredItem): Organization =>
  readItem('organization', organizationSchema, item);

const allOrganizations: List<OrganizationPosition> = {
  index: 'gsi2',
  partitions: [organizationListPartition],
  positionSchema: organizationPositionSchema,
};

/** The write of a new organization. It never overwrites an existing one of the same id. */
const newItem = (table: Table, organization: Organization) => ({
  TableName: table.name,
  Item: {
    ...organizationKey(organization.id),
    ...organizationListIndexKey(organization.id, organization.createdAt),
    ...organization,
  },
  ConditionExpression: isNew,
});

function updateFrom(table: Table, before: Organization, after: Organization): TransactionItem {
  const update = updateExpressionOf({
    set: changedAttributes(before, after),
    remove: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
  });
  return {
    Update: {
      TableName: table.name,
      Key: organizationKey(after.id),
      ...update,
      ConditionExpression: isSameVersion,
      ExpressionAttributeValues: {
        ...update.ExpressionAttributeValues,
        ':before': before.updatedAt,
      },
    },
  };
}

/** The categories that new or changed policies name. */
const newCategoriesOf = (before: Organization, after: Organization): readonly string[] =>
  Object.entries(after.policies)
    .filter(([key, policy]) => !isDeepStrictEqual(policy, before.policies[key]))
    .flatMap(([, policy]) => policy.categoryKey ?? []);
