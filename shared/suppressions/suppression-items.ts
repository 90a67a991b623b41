import type { SuppressionReason } from '#shared/contacts/contact';
import { suppressionKey, suppressionListIndexKey } from '#shared/table/suppression-keys';
import type { Table } from '#shared/table/table-client';
import type { TransactionItem } from '#shared/table/transact-write';
import type { ContactId } from '#shared/tokens/resource-id';
import type { SuppressionRecord } from './suppression.ts';

/** Stores what caused a suppression, in one transaction with the suppression on its contact. */
export const putSuppressionRecord = (
  table: Table,
  contactId: ContactId,
  reason: SuppressionReason,
  record: SuppressionRecord,
): TransactionItem => ({
  Put: {
    TableName: table.name,
    Item: {
      ...suppressionKey(contactId, reason),
      ...suppressionListIndexKey(contactId, reason, record.at),
      ...record,
    },
  },
});

/** Takes it away, in one transaction with the suppression on its contact. */
export const deleteSuppressionRecord = (
  table: Table,
  contactId: ContactId,
  reason: SuppressionReason,
): TransactionItem => ({
  Delete: { TableName: table.name, Key: suppressionKey(contactId, reason) },
});
