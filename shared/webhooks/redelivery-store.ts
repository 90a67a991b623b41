import { deliveryKey } from '#shared/table/delivery-keys';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/transact-write';
import type { Delivery } from './delivery.ts';
import { putDeliveries } from './delivery-store.ts';

const isFailed = '#status = :failed';
const isNotRedelivered = 'attribute_not_exists(redeliveredAs)';

/** Stores a redelivery. If the original failed, the original records which delivery repeats it. */
export async function putRedelivery(
  table: Table,
  original: Delivery,
  redelivery: Delivery,
): Promise<void> {
  const mark = original.status === 'failed' ? [markAs(table, original, redelivery, isFailed)] : [];
  const outcome = await transactWrite(table, [...putDeliveries(table, [redelivery]), ...mark]);
  if (!outcome.committed) throw new Error('The new id of a redelivery is taken');
}

/**
 * Stores the redelivery of a failed delivery, unless the original has one already. Of several calls one
 * stores its redelivery.
 */
export async function putFirstRedelivery(
  table: Table,
  original: Delivery,
  redelivery: Delivery,
): Promise<'stored' | 'redelivered_before'> {
  const outcome = await transactWrite(table, [
    ...putDeliveries(table, [redelivery]),
    markAs(table, original, redelivery, `${isFailed} AND ${isNotRedelivered}`),
  ]);
  return outcome.committed ? 'stored' : 'redelivered_before';
}

const markAs = (
  table: Table,
  original: Delivery,
  redelivery: Delivery,
  condition: string,
): TransactionItem => ({
  Update: {
    TableName: table.name,
    Key: deliveryKey(original.id),
    UpdateExpression: 'SET redeliveredAs = :redelivery, updatedAt = :now',
    ConditionExpression: condition,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':redelivery': redelivery.id,
      ':now': redelivery.createdAt,
      ':failed': 'failed',
    },
  },
});

export const openRedeliveryStore = (table: Table) => ({
  put: (original: Delivery, redelivery: Delivery) => putRedelivery(table, original, redelivery),
  /** Stores the redelivery, unless the original has one already. */
  putFirst: (original: Delivery, redelivery: Delivery) =>
    putFirstRedelivery(table, original, redelivery),
});
export type RedeliveryStore = ReturnType<typeof openRedeliveryStore>;
