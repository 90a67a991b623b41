import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import { ownPartIn } from '#shared/tokens/resource-id';
import { type KeyedSend, openKeyedSendStore } from './claim-store.ts';
import { hasItsKey, hasSameStatus, isSameAttempt, isSameSend, keyOf } from './send-items.ts';

export function openKeyFreeingStore(table: Table) {
  const { find } = openKeyedSendStore(table);

  /**
   * Takes the idempotency key from the send that it leads to. The send stays where it is, since its ids name its slot.
   * `freed` on the send in the key's own slot tells how often that has happened, and so to which slot the key leads:
   * `claim-store.ts`. The same on the send that had the key last keeps a retry that saw it before from another attempt.
   *
   * The transaction asks for the sends as they were seen. Of two that free at once one wins, and of this and a retry that
   * makes the next attempt too.
   */
  async function free(
    { origin, send }: KeyedSend,
    entry: AuditEntry,
  ): Promise<'freed' | 'changed_meanwhile'> {
    const times = (origin.freed ?? 0) + 1;
    const outcome = await transactWrite(table, [
      {
        Update: {
          TableName: table.name,
          Key: keyOf(send),
          UpdateExpression: 'SET freed = :times',
          ConditionExpression: [isSameSend, isSameAttempt, hasSameStatus, hasItsKey].join(' AND '),
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: {
            ':times': times,
            ':nonce': ownPartIn(send.id),
            ':attempt': send.attempt,
            ':status': send.status,
          },
        },
      },
      ...(send.id === origin.id ? [] : [countFreeing(table, origin, times)]),
      putAuditEntry(table, entry),
    ]);
    return outcome.committed ? 'freed' : 'changed_meanwhile';
  }

  return { find, free };
}
export type KeyFreeingStore = ReturnType<typeof openKeyFreeingStore>;

const countFreeing = (table: Table, origin: KeyedSend['origin'], times: number) => ({
  Update: {
    TableName: table.name,
    Key: keyOf(origin),
    UpdateExpression: 'SET freed = :times',
    ConditionExpression: `${isSameSend} AND freed = :seen`,
    ExpressionAttributeValues: {
      ':times': times,
      ':seen': origin.freed,
      ':nonce': ownPartIn(origin.id),
    },
  },
});
