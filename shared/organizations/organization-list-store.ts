import type * as z from 'zod/mini';
import { batchGet } from '#shared/table/batch-get';
import { organizationKey } from '#shared/table/keys';
import { idAt, listPositionOf } from '#shared/table/list-position';
import { type List, type ListRange, readListPage } from '#shared/table/list-reader';
import { organizationListPartition } from '#shared/table/organization-keys';
import type { Table } from '#shared/table/table-client';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import type { Organization } from './organization.ts';
import { toOrganization } from './organization-store.ts';

/** Where an organization stands in the list of all. */
export const organizationPositionSchema =
  listPositionOf(organizationIdSchema).brand<'OrganizationPosition'>();
export type OrganizationPosition = z.infer<typeof organizationPositionSchema>;

export type OrganizationPage = {
  /** Newest first. */
  readonly organizations: readonly Organization[];
  /** Where the next page begins; `undefined` at the end. */
  readonly next: OrganizationPosition | undefined;
};

const allOrganizations: List<OrganizationPosition> = {
  index: 'gsi2',
  partitions: [organizationListPartition],
  positionSchema: organizationPositionSchema,
};

/** Reads a page of all organizations. One that was deleted since the index was read is left out. */
export async function readOrganizationPage(
  table: Table,
  range: ListRange<OrganizationPosition>,
): Promise<OrganizationPage> {
  const { entries, next } = await readListPage(table, allOrganizations, range);
  const keys = entries.map(({ position }) =>
    organizationKey(organizationIdSchema.parse(idAt(position))),
  );
  const itemOf = await batchGet(table, keys);
  const items = keys.map(itemOf).filter((item) => item !== undefined);
  return { organizations: items.map(toOrganization), next };
}

export const openOrganizationListStore = (table: Table) => ({
  read: (range: ListRange<OrganizationPosition>) => readOrganizationPage(table, range),
});
export type OrganizationListStore = ReturnType<typeof openOrganizationListStore>;
