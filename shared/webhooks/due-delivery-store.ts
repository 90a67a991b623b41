import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { dueIndexPartition } from '#shared/table/delivery-keys';
import { sortableTime } from '#shared/table/keys';
import { tableIndexes } from '#shared/table/table-attributes';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type DeliveryId, type WebhookId, webhookIdSchema } from '#shared/tokens/resource-id';
import { idIn } from './delivery-store.ts';

/** A due delivery, as the index holds it. */
export type DueEntry = {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** Epoch milliseconds. */
  readonly dueAt: number;
};

export type DuePage = {
  readonly entries: readonly DueEntry[];
  /** Where the next page begins; `undefined` after the last page. */
  readonly next: StoredItem | undefined;
};

const duePageSize = 100;

/** One page of the due deliveries of a shard, oldest first, after the page that ended in `after`. */
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

export const openDueDeliveryStore = (table: Table) => ({
  /** One page of the due deliveries of a shard. */
  find: (shard: number, now: number, after: StoredItem | undefined) =>
    findDueDeliveries(table, shard, now, after),
});
export type DueDeliveryStore = ReturnType<typeof openDueDeliveryStore>;
