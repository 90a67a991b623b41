import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { writeIf } from '#shared/table/condition-failure';
import { isExpired, toSeconds } from '#shared/table/expiry';
import {
  deliveryIdAt,
  deliveryKey,
  deliveryLogIndexKey,
  dueIndexKey,
  dueIndexPartition,
  sortableTime,
} from '#shared/table/keys';
import { tableIndexes } from '#shared/table/table-attributes';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { TransactionItem } from '#shared/table/transact-write';
import { type DeliveryId, type WebhookId, webhookIdSchema } from '#shared/tokens/resource-id';
import { type Attempt, type Delivery, deliverySchema, leaseMs } from './delivery.ts';

const isNew = 'attribute_not_exists(pk)';

/**
 * Stores outbox rows, each unless it is there already: the same event makes the same rows.
 *
 * @returns those that were not there.
 */
export async function storeDeliveries(
  table: Table,
  deliveries: readonly Delivery[],
): Promise<Delivery[]> {
  const outcomes = await Promise.all(
    putDeliveries(table, deliveries).map(({ Put }) =>
      writeIf(() => table.client.send(new PutCommand(Put))),
    ),
  );
  return deliveries.filter((_, index) => outcomes[index]?.written);
}

/** The outbox rows as items of the transaction of the event they tell of. */
export const putDeliveries = (table: Table, deliveries: readonly Delivery[]) =>
  deliveries.map((delivery) => ({
    Put: {
      TableName: table.name,
      Item: toDeliveryItem(delivery),
      ConditionExpression: isNew,
    },
  })) satisfies TransactionItem[];

/** The item of a new delivery, due and in its endpoint's log. The id follows from the key. */
export function toDeliveryItem({ id, attempts, ...attributes }: Delivery): StoredItem {
  return {
    ...deliveryKey(id),
    ...dueIndexKey(id, attributes.webhookId, attributes.dueAt),
    ...deliveryLogIndexKey(attributes.webhookId, id, attributes.createdAt),
    ...attributes,
    ...(attempts.length > 0 && { attempts }),
  };
}

/** Reads a delivery, strongly consistent. `now` in epoch milliseconds. */
export async function getDelivery(
  table: Table,
  id: DeliveryId,
  now: number,
): Promise<Delivery | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: deliveryKey(id), ConsistentRead: true }),
  );
  return Item === undefined || isExpired(Item, now) ? undefined : toDelivery(Item);
}

const isPending = '#status = :pending';
const isUnleased = '(attribute_not_exists(leaseExpiresAt) OR leaseExpiresAt < :now)';
const isUntried = 'attemptsStarted = :none';
const isDue = 'dueAt <= :now';
const isKept = 'expiresAt > :nowInSeconds';

/**
 * Claims a delivery for one attempt; of several claims at once one wins.
 *
 * @param when `first`: the queue's message, which stands for the first attempt only; `due`: its time has
 *   come.
 * @returns the delivery with the attempt counted, or nothing when it is not to be attempted now.
 */
export async function claimDelivery(
  table: Table,
  id: DeliveryId,
  when: 'first' | 'due',
  now: number,
): Promise<Delivery | undefined> {
  const isTime = when === 'first' ? isUntried : isDue;
  try {
    const { Attributes } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: deliveryKey(id),
        UpdateExpression: 'SET leaseExpiresAt = :lease, updatedAt = :now ADD attemptsStarted :one',
        ConditionExpression: [isPending, isUnleased, isTime, isKept].join(' AND '),
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':pending': 'pending',
          ':now': now,
          ':nowInSeconds': toSeconds(now),
          ':lease': now + leaseMs,
          ':one': 1,
          ...(when === 'first' && { ':none': 0 }),
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return Attributes && toDelivery(Attributes);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** What an attempt, or the lack of a receiver, makes of a claimed delivery. */
export type DeliveryOutcome =
  | { readonly status: 'delivered'; readonly attempts: readonly Attempt[] }
  | {
      readonly status: 'failed';
      readonly attempts: readonly Attempt[];
      readonly failureReason: string;
    }
  | { readonly status: 'pending'; readonly attempts: readonly Attempt[]; readonly dueAt: number };

const isOurLease = 'leaseExpiresAt = :lease';

/** Stores the outcome, unless the lease ran out and somebody else has the delivery now. */
export async function settleDelivery(
  table: Table,
  delivery: Delivery,
  outcome: DeliveryOutcome,
  now: number,
): Promise<void> {
  const { attempts, ...changes } = outcome;
  const index =
    'dueAt' in outcome ? dueIndexKey(delivery.id, delivery.webhookId, outcome.dueAt) : undefined;
  const assignments = {
    ...changes,
    attempts,
    updatedAt: now,
    ...(index && { gsi1sk: index.gsi1sk }),
  };
  const names = Object.keys(assignments);
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: deliveryKey(delivery.id),
        UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} REMOVE ${
          index === undefined ? 'leaseExpiresAt, gsi1pk, gsi1sk' : 'leaseExpiresAt'
        }`,
        ConditionExpression: isOurLease,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ':lease': delivery.leaseExpiresAt,
          ...Object.fromEntries(
            Object.entries(assignments).map(([name, value]) => [`:${name}`, value]),
          ),
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** A delivery whose time has come, as the index names it. */
export type DueEntry = {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** Epoch milliseconds. */
  readonly dueAt: number;
};

export type DuePage = {
  readonly entries: readonly DueEntry[];
  readonly next: StoredItem | undefined;
};

const duePageSize = 100;

/** One page of a shard's due deliveries, oldest first, after the page that ended in `next`. */
export async function findDueDeliveries(
  table: Table,
  shard: number,
  now: number,
  after: StoredItem | undefined,
): Promise<DuePage> {
  const { Items, LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi1.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :end',
      ExpressionAttributeValues: { ':pk': dueIndexPartition(shard), ':end': sortableTime(now + 1) },
      Limit: duePageSize,
      ...(after && { ExclusiveStartKey: after }),
    }),
  );
  return { entries: (Items ?? []).map(toDueEntry), next: LastEvaluatedKey };
}

function toDueEntry(item: StoredItem): DueEntry {
  const [dueAt, webhookId] = z.string().parse(item['gsi1sk']).split('#');
  return { id: idIn(item), webhookId: webhookIdSchema.parse(webhookId), dueAt: Number(dueAt) };
}

const keySchema = z.object({ pk: z.string(), sk: z.string() });

/** The delivery that an item or an index entry names. */
export const idIn = (item: StoredItem): DeliveryId => deliveryIdAt(keySchema.parse(item));

/** @throws ZodError when the stored item is not a delivery. */
export const toDelivery = (item: StoredItem): Delivery =>
  deliverySchema.parse({ ...item, id: idIn(item) });

export const openDeliveryStore = (table: Table) => ({
  /** Stores outbox rows, each unless it is there already; answers those that were not. */
  store: (deliveries: readonly Delivery[]) => storeDeliveries(table, deliveries),
});
export type DeliveryStore = ReturnType<typeof openDeliveryStore>;
