import { isDeepStrictEqual } from 'node:util';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { changedAttributes } from '#shared/table/attribute-change';
import { is, updateIf } from '#shared/table/conditional-update';
import {
  categoryKey,
  organizationKey,
  organizationListIndexKey,
  organizationListPartition,
} from '#shared/table/keys';
import { idAt, listPositionOf } from '#shared/table/list-position';
import { type List, type ListRange, readListPage } from '#shared/table/list-reader';
import { batchGet, getItem, readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import {
  requireItem,
  storeIfUnchanged,
  type TransactionItem,
  transactWrite,
} from '#shared/table/writes';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { linkDomainChanges } from './link-domain-store.ts';
import { type Organization, organizationSchema } from './organization.ts';

export const organizationPositionSchema =
  listPositionOf(organizationIdSchema).brand<'OrganizationPosition'>();
type OrganizationPosition = z.infer<typeof organizationPositionSchema>;

/** Strongly consistent. */
export async function getOrganization(
  table: Table,
  id: OrganizationId,
): Promise<Organization | undefined> {
  const item = await getItem(table, organizationKey(id));
  return item === undefined ? undefined : toOrganization(item);
}

/** Leaves out organizations deleted since the index was read. */
export async function readOrganizationPage(table: Table, range: ListRange<OrganizationPosition>) {
  const { entries, next } = await readListPage(table, allOrganizations, range);
  const keys = entries.map(({ position }) =>
    organizationKey(organizationIdSchema.parse(idAt(position))),
  );
  const itemOf = await batchGet(table, keys);
  const items = keys.map(itemOf).filter((item) => item !== undefined);
  return { organizations: items.map(toOrganization), next };
}

const readAtATime = 100;

/** So many organizations at most, in a page with those that have a text in their names. */
export const lookedAt = 1_000;

/** Those with the text in their names, in any case. A page may be short, or empty, before the end. */
export async function findOrganizations(
  table: Table,
  { before, limit }: ListRange<OrganizationPosition>,
  text: string,
): Promise<Awaited<ReturnType<typeof readOrganizationPage>>> {
  const sought = text.toLowerCase();
  const found: Organization[] = [];
  let next = before;
  for (let read = 0; read < lookedAt; read += readAtATime) {
    const page = await readOrganizationPage(table, { before: next, limit: readAtATime });
    for (const organization of page.organizations) {
      if (!organization.name.toLowerCase().includes(sought)) continue;
      found.push(organization);
      if (found.length < limit) continue;
      const { id, createdAt } = organization;
      const at = organizationListIndexKey(id, createdAt).gsi2sk;
      return { organizations: found, next: organizationPositionSchema.parse(at) };
    }
    next = page.next;
    if (next === undefined) break;
  }
  return { organizations: found, next };
}

/** For the seed of a twin, whose audit starts later. */
export async function putOrganization(table: Table, organization: Organization): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, ...newItem(organization) }));
}

/**
 * @param alsoWritten items of the same transaction: its first key.
 * @returns `refused` if the condition of one of these failed, or an organization has the id.
 */
export async function createOrganization(
  table: Table,
  organization: Organization,
  entries: readonly AuditEntry[],
  alsoWritten: readonly TransactionItem[],
): Promise<'stored' | 'refused'> {
  const outcome = await transactWrite(table, [
    { Put: newItem(organization) },
    ...alsoWritten,
    ...entries.map((entry) => putAuditEntry(entry)),
  ]);
  return outcome.committed ? 'stored' : 'refused';
}

/**
 * Requires the version `before`. Writes only the attributes that differ, so webhook subscriptions changed by others
 * stay.
 *
 * The category that a new or changed policy names must exist at that moment.
 *
 * @param alsoWritten items of the same transaction.
 */
export async function replaceOrganization(
  table: Table,
  before: Organization,
  after: Organization,
  entry: AuditEntry,
  alsoWritten: readonly TransactionItem[] = [],
): Promise<'stored' | 'changed_meanwhile'> {
  return storeIfUnchanged(table, [
    updateFrom(before, after),
    putAuditEntry(entry),
    ...alsoWritten,
    ...linkDomainChanges(before, after),
    ...newCategoriesOf(before, after).map((key) => requireItem(categoryKey(after.id, key))),
  ]);
}

/** @throws UnreadableItemError */
export const toOrganization = (item: StoredItem): Organization =>
  readItem('organization', organizationSchema, item);

const allOrganizations: List<OrganizationPosition> = {
  index: 'gsi2',
  partitions: [organizationListPartition],
  positionSchema: organizationPositionSchema,
};

/** Never overwrites an organization with the same id. */
const newItem = (organization: Organization) => ({
  Item: {
    ...organizationKey(organization.id),
    ...organizationListIndexKey(organization.id, organization.createdAt),
    ...organization,
  },
  ConditionExpression: 'attribute_not_exists(pk)',
});

const updateFrom = (before: Organization, after: Organization): TransactionItem => ({
  Update: updateIf(
    organizationKey(after.id),
    {
      set: changedAttributes(before, after),
      remove: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
    },
    [is('updatedAt', before.updatedAt)],
  ),
});

const newCategoriesOf = (before: Organization, after: Organization): readonly string[] =>
  Object.entries(after.policies)
    .filter(([key, policy]) => !isDeepStrictEqual(policy, before.policies[key]))
    .flatMap(([, policy]) => policy.categoryKey ?? []);
