import { deliveryKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/transact-write';
import type { Delivery } from './delivery.ts';
import { putDeliveries } from './delivery-store.ts';

const isFailed = '#status = :failed';
const isNotRedelivered = 'attribute_not_exists(redeliveredAs)';

/** Stores a new delivery; a failed one that it repeats is marked with it. */
export async function putRedelivery(
  table: Table,
  original: Delivery,
  redelivery: Delivery,
): Promise<void> {
  const mark = original.status === 'failed' ? [markAs(table, original, redelivery, isFailed)] : [];
  const outcome = await transactWrite(table, [...putDeliveries(table, [redelivery]), ...mark]);
  if (!outcome.committed) throw new Error('A redelivery of a new id was there already');
}

/**
 * Repeats a failed delivery unless it has been repeated: however often and from wherever this is
 * called, one call stores its delivery.
 */
export async function putOnlyRedelivery(
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
