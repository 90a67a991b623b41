import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  afterDueTo,
  beforeAllDue,
  dueIndexPartition,
  dueIndexRange,
} from '#shared/table/delivery-keys';
import { tableIndexes } from '#shared/table/table-attributes';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type DeliveryId, type WebhookId, webhookIdSchema } from '#shared/tokens/resource-id';
import { idIn } from './delivery-store.ts';

export type DueEntry = {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** Epoch milliseconds. */
  readonly dueAt: number;
};

/** Due deliveries of one endpoint in one shard, by due time. */
export type DuePage = {
  readonly entries: readonly DueEntry[];
  /** Where the next page starts; `undefined` after the last. */
  readonly next: StoredItem | undefined;
};

/** The endpoints of one shard that have due deliveries, each with its first page. */
export type DueEndpoints = {
  readonly firstPages: readonly { readonly webhookId: WebhookId; readonly page: DuePage }[];
  /** The endpoint to continue after; `undefined` at the end. */
  readonly next: WebhookId | undefined;
};

/** Small, since every endpoint costs at least one page in every run, due or not. */
const firstPageSize = 10;

const duePageSize = 50;

export function openDueDeliveryStore(table: Table) {
  /**
   * Finds endpoints with due deliveries, by id. One request reads a few entries, and the next skips the rest
   * of the last endpoint. So the number of requests depends on how many endpoints wait for an attempt, not on
   * how many deliveries they have.
   *
   * @param after the last endpoint of the page before.
   */
  async function findEndpoints(
    shard: number,
    now: number,
    after: WebhookId | undefined,
  ): Promise<DueEndpoints> {
    const { Items = [], LastEvaluatedKey: more } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: tableIndexes.gsi1.name,
        KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk > :after',
        ExpressionAttributeValues: {
          ':pk': dueIndexPartition(shard),
          ':after': after === undefined ? beforeAllDue : afterDueTo(after),
        },
        Limit: firstPageSize,
      }),
    );
    const waiting = Items.map(toDueEntry);
    const last = waiting.at(-1);
    const byEndpoint = Map.groupBy(waiting, ({ webhookId }) => webhookId);
    const firstPages = [...byEndpoint].flatMap(([webhookId, entries]) => {
      const due = entries.filter(({ dueAt }) => dueAt <= now);
      const mayHaveMore = last !== undefined && due.includes(last);
      const page = { entries: due, next: mayHaveMore ? more : undefined };
      return due.length === 0 ? [] : [{ webhookId, page }];
    });
    return { firstPages, next: more && last?.webhookId };
  }

  /** One page of an endpoint's due deliveries in a shard, after the page that ended in `after`. */
  async function find(
    shard: number,
    webhookId: WebhookId,
    now: number,
    after: StoredItem | undefined,
  ): Promise<DuePage> {
    const { first, last } = dueIndexRange(webhookId, now);
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: tableIndexes.gsi1.name,
        KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': dueIndexPartition(shard),
          ':first': first,
          ':last': last,
        },
        Limit: duePageSize,
        ...(after && { ExclusiveStartKey: after }),
      }),
    );
    return { entries: Items.map(toDueEntry), next: LastEvaluatedKey };
  }

  return { findEndpoints, find };
}
export type DueDeliveryStore = ReturnType<typeof openDueDeliveryStore>;

function toDueEntry(item: StoredItem): DueEntry {
  const [webhookId, dueAt] = z.string().parse(item['gsi1sk']).split('#');
  return { id: idIn(item), webhookId: webhookIdSchema.parse(webhookId), dueAt: Number(dueAt) };
}
