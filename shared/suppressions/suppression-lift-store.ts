import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import type { SuppressionReason } from '#shared/contacts/contact';
import { contactKey } from '#shared/table/contact-keys';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import type { ContactId } from '#shared/tokens/resource-id';
import { deleteSuppressionRecord } from './suppression-items.ts';

export const openSuppressionLiftStore = (table: Table) => ({
  /**
   * Lifts suppressions of a contact, with their causes, and notes who did it: all of it or nothing.
   *
   * @param reasons at least one.
   * @param now epoch milliseconds
   * @returns `false` if one of them is lifted already. Then nothing is written.
   */
  async lift(
    contactId: ContactId,
    reasons: readonly SuppressionReason[],
    entry: AuditEntry,
    now: number,
  ): Promise<boolean> {
    const names = reasons.map((reason, index) => [`#reason${index}`, reason] as const);
    const areThere = names.map(([name]) => `attribute_exists(${name})`).join(' AND ');
    const outcome = await transactWrite(table, [
      {
        Update: {
          TableName: table.name,
          Key: contactKey(contactId),
          UpdateExpression: `SET updatedAt = :now REMOVE ${names.map(([name]) => name).join(', ')}`,
          ConditionExpression: areThere,
          ExpressionAttributeNames: Object.fromEntries(names),
          ExpressionAttributeValues: { ':now': now },
        },
      },
      ...reasons.map((reason) => deleteSuppressionRecord(table, contactId, reason)),
      putAuditEntry(table, entry),
    ]);
    return outcome.committed;
  },
});
export type SuppressionLiftStore = ReturnType<typeof openSuppressionLiftStore>;
