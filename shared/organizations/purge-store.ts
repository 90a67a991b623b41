import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  deletedOrganizationKey,
  deletedOrganizationListPartition,
  identityKey,
  organizationOfPartition,
  otherDomainOf,
  purgeKey,
  refusalSuffix,
  sortableTime,
} from '#shared/table/keys';
import { idAt, listPositionOf } from '#shared/table/list-position';
import { readListEntries } from '#shared/table/list-reader';
import { getItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { retryConflicts } from '#shared/table/writes';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';

// When a purge begins: `functions/purge-organizations/`. How often it runs:
// `infra/constructs/pipelines/organization-purge.ts`.

const tablePlaceSchema = z.object({ pk: z.string(), sk: z.string() });
type TablePlace = z.infer<typeof tablePlaceSchema>;

/** One pass through the table that removes what these organizations left. */
const purgeSchema = z.object({
  organizationIds: z.array(organizationIdSchema),
  /** Absent at the beginning. */
  passed: z.optional(tablePlaceSchema),
});
export type Purge = z.infer<typeof purgeSchema>;

/** `moment` in epoch milliseconds. Finds at most a hundred. */
export async function listOrganizationsDeletedBefore(
  table: Table,
  moment: number,
): Promise<OrganizationId[]> {
  const entries = await readListEntries(
    table,
    {
      index: 'gsi2',
      partitions: [deletedOrganizationListPartition],
      positionSchema: listPositionOf(organizationIdSchema),
    },
    { before: sortableTime(moment), limit: 100 },
  );
  return entries.map(({ position }) => organizationIdSchema.parse(idAt(position)));
}

/** Reads items that don't expire, and refused requests, from the whole table. */
export async function readPurgePage(table: Table, after: TablePlace | undefined) {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new ScanCommand({
      TableName: table.name,
      ProjectionExpression: 'pk, sk',
      FilterExpression: 'attribute_not_exists(expiresAt) OR contains(pk, :refusals)',
      ExpressionAttributeValues: { ':refusals': refusalSuffix },
      ...(after !== undefined && { ExclusiveStartKey: after }),
    }),
  );
  return {
    places: Items.map((item) => tablePlaceSchema.parse(item)),
    next: LastEvaluatedKey && tablePlaceSchema.parse(LastEvaluatedKey),
  };
}

export async function deletePurged(table: Table, { pk, sk }: TablePlace): Promise<void> {
  const removal = new DeleteCommand({ TableName: table.name, Key: { pk, sk } });
  await retryConflicts(() => table.client.send(removal));
}

export const deleteDeletionMark = (table: Table, id: OrganizationId): Promise<void> =>
  deletePurged(table, deletedOrganizationKey(id));

export async function getPurge(table: Table): Promise<Purge | undefined> {
  const item = await getItem(table, purgeKey);
  return item === undefined ? undefined : purgeSchema.parse(item);
}

export async function putPurge(table: Table, purge: Purge): Promise<void> {
  await table.client.send(
    new PutCommand({ TableName: table.name, Item: { ...purgeKey, ...purge } }),
  );
}

export const deletePurge = (table: Table): Promise<void> => deletePurged(table, purgeKey);

/**
 * Leaves out items removed another way: the deletion mark goes last, and each identity once its domains are out of SES.
 */
export function leftBy(key: TablePlace): OrganizationId | undefined {
  const organizationId = organizationOfPartition(key.pk);
  if (organizationId === undefined) return undefined;
  const kept = [
    deletedOrganizationKey(organizationId),
    identityKey(organizationId, otherDomainOf(key)),
  ];
  return kept.some(({ pk, sk }) => pk === key.pk && sk === key.sk) ? undefined : organizationId;
}
