import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { is, updateIf } from '#shared/table/conditional-update';
import {
  type DueDelivery,
  deliveryKey,
  dueDeliveries,
  dueIndexKey,
  readDueIndexKey,
} from '#shared/table/delivery-keys';
import { afterDueOf, dueFrom, duePartition } from '#shared/table/keys';
import { tableIndexes } from '#shared/table/table-attributes';
import type { StoredItem, Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import type { WebhookId } from '#shared/tokens/resource-id';
import { isPending, isUnleased } from './attempt-store.ts';
import type { Delivery } from './delivery.ts';
import { idIn, toDelivery } from './delivery-store.ts';

export type WaitingPage = {
  readonly entries: readonly DueDelivery[];
  readonly hasMore: boolean;
};

/**
 * What waits at an endpoint and is due at `from` or later: the first entries of each shard of the index, soonest first.
 * Eventually consistent.
 */
export const findWaiting = (
  table: Table,
  webhookId: WebhookId,
  from: number,
  perShard: number,
): Promise<WaitingPage[]> =>
  Promise.all(
    Array.from({ length: dueDeliveries.shards }, (_, shard) =>
      findInShard(table, webhookId, shard, from, perShard),
    ),
  );

async function findInShard(
  table: Table,
  webhookId: WebhookId,
  shard: number,
  from: number,
  most: number,
): Promise<WaitingPage> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi1.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': duePartition(dueDeliveries, shard),
        ':first': dueFrom(webhookId, from),
        ':last': afterDueOf(webhookId),
      },
      Limit: most,
    }),
  );
  return {
    entries: Items.map((item) => ({
      id: idIn(item),
      webhookId,
      ...readDueIndexKey(item['gsi1sk']),
    })),
    hasMore: LastEvaluatedKey !== undefined,
  };
}

/**
 * Makes a waiting delivery due now. It keeps its id and the attempts it has had. Nothing changes while an attempt is under
 * way, or once its due time is no longer the one that was read: exactly one of several concurrent calls makes it due.
 *
 * @returns the delivery afterwards, if it exists.
 */
export async function makeDueNow(
  table: Table,
  delivery: DueDelivery,
  now: number,
): Promise<{ readonly isMade: boolean; readonly existing?: Delivery }> {
  const { gsi1sk } = dueIndexKey({ ...delivery, dueAt: now });
  const change = { set: { dueAt: now, gsi1sk, updatedAt: now } };
  const conditions = [isPending, isUnleased(now), isStillDueAt(delivery)];
  let item: StoredItem | undefined;
  const outcome = await writeIf(async () => {
    const { Attributes } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        ...updateIf(deliveryKey(delivery.id), change, conditions),
        ReturnValues: 'ALL_NEW',
      }),
    );
    item = Attributes;
  });
  const existing = outcome.written ? item : outcome.existing;
  return { isMade: outcome.written, ...(existing && { existing: toDelivery(existing) }) };
}

const isStillDueAt = ({ dueAt }: DueDelivery) => is('dueAt', dueAt);
