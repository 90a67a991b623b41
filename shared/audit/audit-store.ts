import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expiryAfter, isExpired } from '#shared/table/expiry';
import { auditKey, auditPartition } from '#shared/table/keys';
import { listPositionOf } from '#shared/table/list-position';
import { type List, type ListRange, readListPage } from '#shared/table/list-reader';
import { readItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import type { TransactionItem } from '#shared/table/writes';
import { auditEntryIdSchema, type OrganizationId } from '#shared/tokens/resource-id';
import { type AuditEntry, auditEntrySchema, auditRetentionDays } from './audit-entry.ts';

/** Goes into the transaction of its change, so neither exists without the other. */
export const putAuditEntry = (entry: AuditEntry): TransactionItem => ({
  Put: { Item: itemOf(entry) },
});

const itemOf = (entry: AuditEntry) => ({
  ...auditKey(entry.id, entry.at),
  ...entry,
  expiresAt: expiryAfter(entry.at, auditRetentionDays),
});

export const putIfEntered = (entry: AuditEntry | undefined): TransactionItem[] =>
  entry === undefined ? [] : [putAuditEntry(entry)];

export const auditPositionSchema = listPositionOf(auditEntryIdSchema);

export async function listAuditEntries(
  table: Table,
  organizationId: OrganizationId,
  range: ListRange<string>,
  now: number,
) {
  const list: List<string> = {
    index: 'table',
    partitions: [auditPartition(organizationId)],
    positionSchema: auditPositionSchema,
  };
  const { entries, next } = await readListPage(table, list, range);
  const items = entries.map(({ item }) => item).filter((item) => !isExpired(item, now));
  return { entries: items.map((item) => readItem('audit entry', auditEntrySchema, item)), next };
}

/** For events without a write to share a transaction with. */
export async function appendAuditEntry(table: Table, entry: AuditEntry): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, Item: itemOf(entry) }));
}
