import * as z from 'zod/mini';
import {
  deliveriesOfSend,
  deliveryKey,
  deliveryLogIndexKey,
  deliveryLogPartition,
  deliveryLogShards,
} from '#shared/table/delivery-keys';
import { isExpired } from '#shared/table/expiry';
import { listPositionOf } from '#shared/table/list-position';
import { type List, readListEntries } from '#shared/table/list-reader';
import { type Search, searchList } from '#shared/table/list-search';
import { batchGet, queryAll } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import {
  type DeliveryId,
  type SendId,
  type WebhookId,
  webhookIdSchema,
} from '#shared/tokens/resource-id';
import type { Delivery } from './delivery.ts';
import { idIn, toDelivery } from './delivery-store.ts';

export const logPositionSchema = listPositionOf(
  z.string().check(z.regex(/^[a-z2-7]{16}$/)),
).brand<'LogPosition'>();
export type LogPosition = z.infer<typeof logPositionSchema>;

export const logPositionOf = ({
  webhookId,
  id,
  createdAt,
}: Pick<Delivery, 'webhookId' | 'id' | 'createdAt'>): LogPosition =>
  logPositionSchema.parse(deliveryLogIndexKey(webhookId, id, createdAt).gsi2sk);

type LogEntry = { readonly id: DeliveryId; readonly position: LogPosition };

export type LogQuery = Search<LogPosition, Delivery> & {
  readonly webhookId: WebhookId;
  readonly sendId?: SendId | undefined;
};

export async function readDeliveryLog(
  table: Table,
  { webhookId, sendId, ...search }: LogQuery,
  now: number,
) {
  const { found, next } = await searchList<LogPosition, LogEntry, Delivery>(
    {
      find: (before, count) =>
        sendId === undefined
          ? findLogEntries(table, webhookId, before, count)
          : findLogEntriesOfSend(table, webhookId, sendId, before, count),
      get: async (entries) => {
        const ids = entries.map(({ id }) => id);
        const deliveries = await getDeliveries(table, ids, now);
        return ids.map((id) => deliveries.get(id));
      },
    },
    search,
  );
  return { deliveries: found, next };
}

const logOf = (webhookId: WebhookId): List<LogPosition> => ({
  index: 'gsi2',
  partitions: Array.from({ length: deliveryLogShards }, (_, shard) =>
    deliveryLogPartition(webhookId, shard),
  ),
  positionSchema: logPositionSchema,
});

export async function findLogEntries(
  table: Table,
  webhookId: WebhookId,
  before: string | undefined,
  count: number,
): Promise<LogEntry[]> {
  const entries = await readListEntries(table, logOf(webhookId), { before, limit: count });
  return entries.map(({ position, item }) => ({ id: idIn(item), position }));
}

/** A send's deliveries share its partition, so one strongly consistent Query finds them, however long the log is. */
async function findLogEntriesOfSend(
  table: Table,
  webhookId: WebhookId,
  sendId: SendId,
  before: string | undefined,
  count: number,
): Promise<LogEntry[]> {
  const items = await queryAll(table, deliveriesOfSend(sendId));
  return items
    .map((item) => ({ id: idIn(item), ...deliveryOfSendSchema.parse(item) }))
    .filter((one) => one.webhookId === webhookId)
    .map(({ id, gsi2sk }) => ({ id, position: gsi2sk }))
    .filter(({ position }) => before === undefined || position < before)
    .sort((one, other) => (one.position < other.position ? 1 : -1))
    .slice(0, count);
}

/** At most 100, strongly consistent. */
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

const deliveryOfSendSchema = z.object({ webhookId: webhookIdSchema, gsi2sk: logPositionSchema });
