import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { isNew, onlyIf } from '#shared/table/conditional-update';
import {
  deliveriesOfContact,
  deliveryIdAt,
  deliveryKey,
  deliveryLogIndexKey,
  dueDeliveries,
  dueIndexKey,
} from '#shared/table/delivery-keys';
import type { Due, DueList } from '#shared/table/due-index';
import { isExpired } from '#shared/table/expiry';
import { getItem, readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite, writeIf } from '#shared/table/writes';
import {
  type ContactId,
  type DeliveryId,
  type WebhookId,
  webhookIdSchema,
} from '#shared/tokens/resource-id';
import { type Delivery, deliverySchema } from './delivery.ts';

/**
 * The same event makes the same deliveries; existing ones stay.
 *
 * @returns the new deliveries.
 */
export async function createDeliveries(
  table: Table,
  deliveries: readonly Delivery[],
): Promise<Delivery[]> {
  const outcomes = await Promise.all(
    putDeliveries(deliveries).map(({ Put }) =>
      writeIf(() => table.client.send(new PutCommand({ TableName: table.name, ...Put }))),
    ),
  );
  return deliveries.filter((_, index) => outcomes[index]?.written);
}

/**
 * For deliveries without an event.
 *
 * @throws ConditionalCheckFailedException when the id is taken.
 */
export async function createDelivery(table: Table, delivery: Delivery): Promise<void> {
  const Item = toDeliveryItem(delivery);
  await table.client.send(new PutCommand({ TableName: table.name, Item, ...onlyIf(isNew) }));
}

export async function getDelivery(
  table: Table,
  id: DeliveryId,
  now: number,
): Promise<Delivery | undefined> {
  const item = await getItem(table, deliveryKey(id));
  return item === undefined || isExpired(item, now) ? undefined : toDelivery(item);
}

/**
 * The condition is plain text instead of clauses, so that functions that only report something don't bundle those. A
 * delivery that exists isn't read back.
 */
export const putDeliveries = (deliveries: readonly Delivery[]) =>
  deliveries.map((delivery) => ({
    Put: { Item: toDeliveryItem(delivery), ConditionExpression: 'attribute_not_exists(pk)' },
  })) satisfies TransactionItem[];

type ConditionalWrite = Required<Pick<TransactionItem, 'Put'> | Pick<TransactionItem, 'Update'>>;

/**
 * Writes in one transaction with deliveries and other items. Alone, a write waits for a transaction that holds its
 * item.
 *
 * @param alsoWritten must have no condition that may fail.
 */
export async function writeWithDeliveries(
  table: Table,
  write: ConditionalWrite,
  deliveries: readonly Delivery[],
  alsoWritten: readonly TransactionItem[] = [],
): ReturnType<typeof writeIf> {
  if (deliveries.length === 0 && alsoWritten.length === 0) {
    return writeIf(() => writeAlone(table, write));
  }
  const outcome = await transactWrite(table, [write, ...alsoWritten, ...putDeliveries(deliveries)]);
  if (outcome.committed) return { written: true };
  const [own] = outcome.conditions;
  // The deliveries exist, so this was reported before.
  return own?.failed === false && deliveries.length > 0
    ? writeWithDeliveries(table, write, [], alsoWritten)
    : { written: false, existing: own?.item };
}

async function writeAlone({ client, name: TableName }: Table, write: ConditionalWrite) {
  if ('Put' in write) await client.send(new PutCommand({ TableName, ...write.Put }));
  else await client.send(new UpdateCommand({ TableName, ...write.Update }));
}

/** With keys that list it as due, and in its endpoint's log. The id is in the key. */
export function toDeliveryItem({ id, attempts, ...attributes }: Delivery): StoredItem {
  return {
    ...deliveryKey(id),
    ...dueIndexKey({ id, ...attributes }),
    ...deliveryLogIndexKey(attributes.webhookId, id, attributes.createdAt),
    ...attributes,
    ...(attempts.length > 0 && { attempts }),
  };
}

const keySchema = z.object({ pk: z.string(), sk: z.string() });

export const idIn = (item: StoredItem): DeliveryId => deliveryIdAt(keySchema.parse(item));

export const toDelivery = (item: StoredItem): Delivery =>
  readItem('delivery', deliverySchema, { ...item, id: idIn(item) });

/**
 * Of what webhooks hear of the contact itself, not of its emails.
 *
 * @param after the `next` of the page before.
 */
export async function readContactDeliveries(
  table: Table,
  contactId: ContactId,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | undefined }> {
  const { pk, skPrefix } = deliveriesOfContact(contactId);
  const { Items = [], LastEvaluatedKey: last } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :skPrefix)',
      ExpressionAttributeValues: { ':pk': pk, ':skPrefix': skPrefix },
      ConsistentRead: true,
      Limit: limit,
      ...(after !== undefined && { ExclusiveStartKey: { pk, sk: `${skPrefix}${after}` } }),
    }),
  );
  return {
    deliveries: Items.map(toDelivery),
    next: last && keySchema.parse(last).sk.slice(skPrefix.length),
  };
}

export type DueEntry = Due<WebhookId> & { readonly id: DeliveryId; readonly webhookId: WebhookId };

export const dueDeliveryList: DueList<WebhookId, DueEntry> = {
  ...dueDeliveries,
  toEntry: (item, owner, dueAt) => {
    const webhookId = webhookIdSchema.parse(owner);
    return { id: idIn(item), owner: webhookId, webhookId, dueAt };
  },
};
