import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { clickedKey, type Key, openedKey } from '#shared/table/keys';
import { retryConflicts } from '#shared/table/retry-conflicts';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import type { FeedbackId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { putDeliveries } from '#shared/webhooks/delivery-store';
import type { Click } from './tracking-token.ts';

/** When a tracked link or pixel was fetched, epoch milliseconds, and by whom. */
export type Hit = { readonly at: number; readonly isMachine: boolean };

/** An `opened` or `clicked` event to count a hit on. */
export type Engagement = {
  readonly feedbackId: FeedbackId;
  readonly key: Key;
  readonly type: 'opened' | 'clicked';
  readonly url?: string;
};

/** One `opened` event a send. */
export const openOf = (feedbackId: FeedbackId): Engagement => ({
  feedbackId,
  key: openedKey(feedbackId),
  type: 'opened',
});

/** One `clicked` event a send and link. */
export const clickOf = ({ feedbackId, destination }: Click): Engagement => ({
  feedbackId,
  key: clickedKey(feedbackId, destination),
  type: 'clicked',
  url: withoutSecrets(destination),
});

/** A link's query and fragment carry reset tokens and addresses; the timeline needs neither. */
function withoutSecrets(destination: string): string {
  const { origin, pathname } = new URL(destination);
  return origin + pathname;
}

const seenSchema = z.object({ personTs: z.optional(z.int()) });

/** Whether a hit is the first of all, or the first by a person: what receivers are told. */
export async function isNews(table: Table, { key }: Engagement, hit: Hit): Promise<boolean> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
  );
  if (Item === undefined) return true;
  return !hit.isMachine && seenSchema.parse(Item).personTs === undefined;
}

/**
 * Counts a hit: the first makes the event, further ones count up on it.
 *
 * @param expiresAt when the send is forgotten, and the event with it: epoch seconds.
 */
export async function countHit(
  table: Table,
  engagement: Engagement,
  hit: Hit,
  expiresAt: number,
): Promise<void> {
  const update = new UpdateCommand(countingUpdate(table, engagement, hit, expiresAt));
  await retryConflicts(() => table.client.send(update));
}

/**
 * Counts a hit that is news, with the webhook outbox rows that tell of it; when another hit was faster,
 * it is counted and nobody told again.
 *
 * @returns whether the rows were written.
 */
export async function countNews(
  table: Table,
  engagement: Engagement,
  hit: Hit,
  deliveries: readonly Delivery[],
  expiresAt: number,
): Promise<boolean> {
  const isStillNews = hit.isMachine ? 'attribute_not_exists(pk)' : 'attribute_not_exists(personTs)';
  const update = countingUpdate(table, engagement, hit, expiresAt);
  const outcome = await transactWrite(table, [
    { Update: { ...update, ConditionExpression: isStillNews } },
    ...putDeliveries(table, deliveries),
  ]);
  if (!outcome.committed) await countHit(table, engagement, hit, expiresAt);
  return outcome.committed;
}

function countingUpdate(
  table: Table,
  { key, type, url }: Engagement,
  { at, isMachine }: Hit,
  expiresAt: number,
) {
  const facts = Object.entries({
    type,
    ts: at,
    expiresAt,
    ...(url !== undefined && { url }),
    ...(!isMachine && { personTs: at }),
  });
  const assignments = facts.map(([name]) => `#${name} = if_not_exists(#${name}, :${name})`);
  return {
    TableName: table.name,
    Key: key,
    UpdateExpression: `SET ${assignments.join(', ')} ADD hits :one`,
    ExpressionAttributeNames: Object.fromEntries(facts.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ':one': 1,
      ...Object.fromEntries(facts.map(([name, value]) => [`:${name}`, value])),
    },
  };
}

export const openEngagementStore = (table: Table) => ({
  /** Whether receivers are to be told of the hit. */
  isNews: (engagement: Engagement, hit: Hit) => isNews(table, engagement, hit),
  countHit: (engagement: Engagement, hit: Hit, expiresAt: number) =>
    countHit(table, engagement, hit, expiresAt),
  countNews: (
    engagement: Engagement,
    hit: Hit,
    deliveries: readonly Delivery[],
    expiresAt: number,
  ) => countNews(table, engagement, hit, deliveries, expiresAt),
});
export type EngagementStore = ReturnType<typeof openEngagementStore>;
