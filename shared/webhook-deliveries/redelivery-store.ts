import { type Clause, is, isAbsent, onlyIf, updateIf } from '#shared/table/conditional-update';
import { deliveryKey } from '#shared/table/delivery-keys';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/writes';
import type { Delivery } from './delivery.ts';
import { putDeliveries, toDelivery } from './delivery-store.ts';

/**
 * A failed original records which delivery repeats it.
 *
 * @returns `original_changed`, with nothing stored, if the original is gone or its body has changed.
 */
export async function storeRedelivery(
  table: Table,
  original: Delivery,
  redelivery: Delivery,
): Promise<'stored' | 'original_changed'> {
  const outcome = await transactWrite(table, [
    ...putDeliveries([redelivery]),
    original.status === 'failed'
      ? markAs(original, redelivery)
      : { ConditionCheck: { Key: deliveryKey(original.id), ...onlyIf(hasSameBody(original)) } },
  ]);
  if (outcome.committed) return 'stored';
  if (outcome.conditions[0]?.failed) throw new Error('The new id of a redelivery is taken');
  return 'original_changed';
}

/**
 * Does nothing if the original already has a redelivery. Exactly one of several concurrent calls stores its own. Its
 * body is the original's at that moment.
 */
export async function storeFirstRedelivery(
  table: Table,
  original: Delivery,
  redelivery: Delivery,
): Promise<'stored' | 'redelivered_before'> {
  let seen = original;
  for (;;) {
    const outcome = await transactWrite(table, [
      ...putDeliveries([{ ...redelivery, body: seen.body }]),
      markAs(seen, redelivery, [isNotRedelivered]),
    ]);
    if (outcome.committed) return 'stored';
    const item = outcome.conditions[1]?.item;
    const existing = item && toDelivery(item);
    if (existing === undefined || existing.body === seen.body) return 'redelivered_before';
    seen = existing;
  }
}

const isFailed = is('status', 'failed');
const isNotRedelivered = isAbsent('redeliveredAs');

/** A person may be erased from the body at any moment. Copying an earlier read would bring the address back. */
const hasSameBody = ({ body }: Delivery) => is('body', body);

const markAs = (
  original: Delivery,
  { id: redeliveredAs, createdAt: updatedAt }: Delivery,
  clauses: readonly Clause[] = [],
): TransactionItem => ({
  Update: updateIf(deliveryKey(original.id), { set: { redeliveredAs, updatedAt } }, [
    isFailed,
    ...clauses,
    hasSameBody(original),
  ]),
});
