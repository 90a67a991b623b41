import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '#shared/table/batch-get';
import { isExpired } from '#shared/table/expiry';
import { deliveryKey, deliveryLogPartition, deliveryLogShards } from '#shared/table/keys';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Table } from '#shared/table/table-client';
import type { DeliveryId, WebhookId } from '#shared/tokens/resource-id';
import type { Delivery } from './delivery.ts';
import { type LogEntry, type LogPosition, logPositionSchema } from './delivery-log.ts';
import { idIn, toDelivery, toDeliveryItem } from './delivery-store.ts';

/** Sorts after every position. */
const end = '~';

/**
 * The newest entries of an endpoint's log, before a position or of all. Each shard is asked for as many
 * as are wanted, since all of them may stand in one.
 */
export async function findLogEntries(
  table: Table,
  webhookId: WebhookId,
  before: LogPosition | undefined,
  count: number,
): Promise<LogEntry[]> {
  const shards = await Promise.all(
    Array.from({ length: deliveryLogShards }, (_, shard) =>
      findEntriesOfShard(table, deliveryLogPartition(webhookId, shard), before ?? end, count),
    ),
  );
  return shards
    .flat()
    .sort((one, other) => (one.position < other.position ? 1 : -1))
    .slice(0, count);
}

async function findEntriesOfShard(
  table: Table,
  partition: string,
  before: string,
  count: number,
): Promise<LogEntry[]> {
  const { Items } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi2.name,
      KeyConditionExpression: 'gsi2pk = :pk AND gsi2sk < :before',
      ExpressionAttributeValues: { ':pk': partition, ':before': before },
      ScanIndexForward: false,
      Limit: count,
    }),
  );
  return (Items ?? []).map((item) => ({
    id: idIn(item),
    position: logPositionSchema.parse(item['gsi2sk']),
  }));
}

/** Reads up to 100 deliveries, strongly consistent. `now` in epoch milliseconds. */
export async function getDeliveries(
  table: Table,
  ids: readonly DeliveryId[],
  now: number,
): Promise<Map<DeliveryId, Delivery>> {
  const itemOf = await batchGet(table, ids.map(deliveryKey));
  const deliveries = ids.flatMap((id) => {
    const item = itemOf(deliveryKey(id));
    return item === undefined || isExpired(item, now) ? [] : [toDelivery(item)];
  });
  return new Map(deliveries.map((delivery) => [delivery.id, delivery]));
}

const isNew = 'attribute_not_exists(pk)';

/** Stores a delivery of something that is written nowhere else, as a test of its endpoint. */
export async function putNewDelivery(table: Table, delivery: Delivery): Promise<void> {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: toDeliveryItem(delivery),
      ConditionExpression: isNew,
    }),
  );
}
