import { batchGet } from '#shared/table/batch-get';
import { deliveryKey, deliveryLogPartition, deliveryLogShards } from '#shared/table/delivery-keys';
import { isExpired } from '#shared/table/expiry';
import { type List, readListEntries } from '#shared/table/list-reader';
import type { Table } from '#shared/table/table-client';
import type { DeliveryId, WebhookId } from '#shared/tokens/resource-id';
import type { Delivery } from './delivery.ts';
import { type LogEntry, type LogPosition, logPositionSchema } from './delivery-log.ts';
import { idIn, toDelivery } from './delivery-store.ts';

const logOf = (webhookId: WebhookId): List<LogPosition> => ({
  index: 'gsi2',
  partitions: Array.from({ length: deliveryLogShards }, (_, shard) =>
    deliveryLogPartition(webhookId, shard),
  ),
  positionSchema: logPositionSchema,
});

/** The newest `count` entries of an endpoint's log, or the newest before a position. */
export async function findLogEntries(
  table: Table,
  webhookId: WebhookId,
  before: string | undefined,
  count: number,
): Promise<LogEntry[]> {
  const entries = await readListEntries(table, logOf(webhookId), { before, limit: count });
  return entries.map(({ position, item }) => ({ id: idIn(item), position }));
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

export const openDeliveryLogStore = (table: Table) => ({
  /** The newest entries of an endpoint's log, or the newest before a position. */
  findEntries: (webhookId: WebhookId, before: string | undefined, count: number) =>
    findLogEntries(table, webhookId, before, count),
  /** Reads up to 100 deliveries. */
  getDeliveries: (ids: readonly DeliveryId[], now: number) => getDeliveries(table, ids, now),
});
export type DeliveryLogStore = ReturnType<typeof openDeliveryLogStore>;
