import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/writes';
import { ownPartIn } from '#shared/tokens/resource-id';
import { type KeyedSend, openKeyedSendStore } from './claim-store.ts';
import { hasItsKey, hasSameStatus, isSameAttempt, isSameSend, keyOf } from './send-items.ts';

export function openKeyFreeingStore(table: Table) {
  const { find } = openKeyedSendStore(table);

  /**
   * The send stays in its slot, which its ids name. `freed` on the send in the key's own slot counts the times, and so
   * says which slot the key leads to (`claim-store.ts`). `freed` on the send that last had the key stops a retry that
   * saw it earlier.
   *
   * The transaction requires the sends as read: if two frees, or a free and a retry's next attempt, run at once, one
   * wins.
   */
  async function free(
    { origin, send }: KeyedSend,
    entry: AuditEntry | undefined,
  ): Promise<'freed' | 'changed_meanwhile'> {
    const times = (origin.freed ?? 0) + 1;
    const outcome = await transactWrite(table, [
      {
        Update: {
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
      ...(send.id === origin.id ? [] : [countFreeing(origin, times)]),
      ...(entry === undefined ? [] : [putAuditEntry(entry)]),
    ]);
    return outcome.committed ? 'freed' : 'changed_meanwhile';
  }

  return { find, free };
}
export type KeyFreeingStore = ReturnType<typeof openKeyFreeingStore>;

const countFreeing = (origin: KeyedSend['origin'], times: number) => ({
  Update: {
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
