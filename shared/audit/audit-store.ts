import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { longestWorkSeconds } from '#shared/config/work-budget';
import { expiryAfter, isExpired } from '#shared/table/expiry';
import {
  auditKey,
  auditPartition,
  personAuditIndexKey,
  personAuditPartition,
  sortableTime,
} from '#shared/table/keys';
import { listPositionOf } from '#shared/table/list-position';
import {
  type List,
  type ListRange,
  readListPage,
  readNewerEntries,
} from '#shared/table/list-reader';
import { batchGet, readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { TransactionItem } from '#shared/table/writes';
import {
  type ApiKeyId,
  apiKeyIdSchema,
  auditEntryIdSchema,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import { type AuditEntry, auditEntrySchema, auditRetentionDays } from './audit-entry.ts';

/** Goes into the transaction of its change, so neither exists without the other. */
export const putAuditEntry = (entry: AuditEntry): TransactionItem => ({
  Put: { Item: itemOf(entry) },
});

const itemOf = (entry: AuditEntry) => ({
  ...auditKey(entry.id, entry.at),
  ...(entry.isPerson && personAuditIndexKey(entry.id, entry.at, apiKeyIdSchema.parse(entry.actor))),
  ...entry,
  expiresAt: expiryAfter(entry.at, auditRetentionDays),
});

export const putIfEntered = (entry: AuditEntry | undefined): TransactionItem[] =>
  entry === undefined ? [] : [putAuditEntry(entry)];

export const auditPositionSchema = listPositionOf(auditEntryIdSchema);

type AuditRange = ListRange<string> & {
  /** Only what this person did. An index lists it, so entries of the last second may be missing. */
  readonly person?: ApiKeyId | undefined;
};

export async function listAuditEntries(
  table: Table,
  organizationId: OrganizationId,
  { person, ...range }: AuditRange,
  now: number,
) {
  const list: List<string> = {
    positionSchema: auditPositionSchema,
    ...(person === undefined
      ? { index: 'table', partitions: [auditPartition(organizationId)] }
      : { index: 'gsi2', partitions: [personAuditPartition(organizationId, person)] }),
  };
  const { entries, next } = await readListPage(table, list, range);
  const listed = entries.map(({ item }) => item);
  const items = person === undefined ? listed : await readIndexed(table, listed);
  const kept = items.filter((item) => !isExpired(item, now));
  return { entries: kept.map((item) => readItem('audit entry', auditEntrySchema, item)), next };
}

/** In the same order, without those that are gone. */
async function readIndexed(table: Table, listed: readonly StoredItem[]): Promise<StoredItem[]> {
  if (listed.length === 0) return [];
  const keys = listed.map((item) => placeSchema.parse(item));
  const itemAt = await batchGet(table, keys);
  return keys.map((key) => itemAt(key)).filter((item) => item !== undefined);
}

const placeSchema = z.object({ pk: z.string(), sk: z.string() });

/**
 * An entry is dated before it's written. No writer takes longer: a function ends after two minutes
 * (`longestWorkSeconds`), and a longer one dates an entry right before it writes it.
 */
export const settledAfterMs = (longestWorkSeconds + 60) * 1_000;

/**
 * The entries after a position, oldest first, as far as no earlier one can come.
 *
 * @returns also the position of the last; `undefined` if there are none.
 */
export async function readSettledEntries(
  table: Table,
  organizationId: OrganizationId,
  range: { readonly after: string; readonly limit: number },
  now: number,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly last: string | undefined }> {
  const list: List<string> = {
    index: 'table',
    partitions: [auditPartition(organizationId)],
    positionSchema: auditPositionSchema,
  };
  const newest = sortableTime(now - settledAfterMs);
  const settled = (await readNewerEntries(table, list, range))
    .toReversed()
    .filter(({ position }) => position < newest);
  return {
    entries: settled.map(({ item }) => readItem('audit entry', auditEntrySchema, item)),
    last: settled.at(-1)?.position,
  };
}

/** For events without a write to share a transaction with. */
export async function appendAuditEntry(table: Table, entry: AuditEntry): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, Item: itemOf(entry) }));
}
