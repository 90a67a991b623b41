import { deliveryKey } from '#shared/table/delivery-keys';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/writes';
import type { Delivery } from './delivery.ts';
import { putDeliveries, toDelivery } from './delivery-store.ts';

const isFailed = '#status = :failed';

const isNotRedelivered = 'attribute_not_exists(redeliveredAs)';

/** A person may be erased from the body at any moment. Copying an earlier read would bring the address back. */
const hasSameBody = 'body = :body';

export function openRedeliveryStore(table: Table) {
  /**
   * A failed original records which delivery repeats it.
   *
   * @returns `original_changed`, with nothing stored, if the original is gone or its body has changed.
   */
  async function put(
    original: Delivery,
    redelivery: Delivery,
  ): Promise<'stored' | 'original_changed'> {
    const { id, status, body } = original;
    const check = {
      ConditionCheck: {
        Key: deliveryKey(id),
        ConditionExpression: hasSameBody,
        ExpressionAttributeValues: { ':body': body },
      },
    };
    const outcome = await transactWrite(table, [
      ...putDeliveries([redelivery]),
      status === 'failed' ? markAs(original, redelivery, isFailed) : check,
    ]);
    if (outcome.committed) return 'stored';
    if (outcome.conditions[0]?.failed) throw new Error('The new id of a redelivery is taken');
    return 'original_changed';
  }

  /**
   * Does nothing if the original already has a redelivery. Exactly one of several concurrent calls stores its own. Its
   * body is the original's at that moment.
   */
  async function putFirst(
    original: Delivery,
    redelivery: Delivery,
  ): Promise<'stored' | 'redelivered_before'> {
    let seen = original;
    for (;;) {
      const outcome = await transactWrite(table, [
        ...putDeliveries([{ ...redelivery, body: seen.body }]),
        markAs(seen, redelivery, `${isFailed} AND ${isNotRedelivered}`),
      ]);
      if (outcome.committed) return 'stored';
      const item = outcome.conditions[1]?.item;
      const existing = item && toDelivery(item);
      if (existing === undefined || existing.body === seen.body) return 'redelivered_before';
      seen = existing;
    }
  }

  return { put, putFirst };
}
export type RedeliveryStore = ReturnType<typeof openRedeliveryStore>;

const markAs = (original: Delivery, redelivery: Delivery, condition: string): TransactionItem => ({
  Update: {
    Key: deliveryKey(original.id),
    UpdateExpression: 'SET redeliveredAs = :redelivery, updatedAt = :now',
    ConditionExpression: `${condition} AND ${hasSameBody}`,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':redelivery': redelivery.id,
      ':now': redelivery.createdAt,
      ':failed': 'failed',
      ':body': original.body,
    },
  },
});
