import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { getItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { type ItemCondition, transactWrite, writeIf } from '#shared/table/writes';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { putDeliveries } from '#shared/webhook-deliveries/delivery-store';
import type { Engagement, Hit, KnownHits } from './engagement.ts';

const seenSchema = z.object({ personTs: z.optional(z.int()) });

export async function findHits(table: Table, { key }: Engagement): Promise<KnownHits | undefined> {
  const item = await getItem(table, key, { isConsistent: false });
  return item && seenSchema.parse(item);
}

/**
 * Counts a hit on an event that is there. If it's gone, its send is gone too, so nothing brings its link back.
 */
export async function countHit(
  table: Table,
  { key }: Engagement,
  { at, isMachine }: Hit,
): Promise<void> {
  const ofPerson = isMachine ? '' : 'SET personTs = if_not_exists(personTs, :at) ';
  const update = new UpdateCommand({
    TableName: table.name,
    Key: key,
    UpdateExpression: `${ofPerson}ADD hits :one`,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':one': 1, ...(!isMachine && { ':at': at }) },
  });
  await writeIf(() => table.client.send(update));
}

/**
 * The first hit makes the event. The deliveries that report the hit are written in the same transaction. If another
 * hit was faster, this one is counted without a report.
 *
 * @param deliveries none if no endpoint subscribes to it.
 * @param expiresAt of the send and the event, epoch seconds.
 * @param requirement on the send.
 * @returns whether the hit was news, or that the requirement failed and nothing was written.
 */
export async function countNews(
  table: Table,
  engagement: Engagement,
  hit: Hit,
  deliveries: readonly Delivery[],
  expiresAt: number,
  requirement: ItemCondition,
): Promise<'reported' | 'counted' | 'send_changed'> {
  const isStillNews = hit.isMachine ? 'attribute_not_exists(pk)' : 'attribute_not_exists(personTs)';
  const update = countingUpdate(engagement, hit, expiresAt);
  const outcome = await transactWrite(table, [
    { Update: { ...update, ConditionExpression: isStillNews } },
    ...putDeliveries(deliveries),
    { ConditionCheck: requirement },
  ]);
  if (outcome.committed) return 'reported';
  if (outcome.conditions.at(-1)?.failed) return 'send_changed';
  await countHit(table, engagement, hit);
  return 'counted';
}

function countingUpdate({ key, type, url }: Engagement, { at, isMachine }: Hit, expiresAt: number) {
  const facts = Object.entries({
    type,
    ts: at,
    expiresAt,
    ...(url !== undefined && { url }),
    ...(!isMachine && { personTs: at }),
  });
  const assignments = facts.map(([name]) => `#${name} = if_not_exists(#${name}, :${name})`);
  return {
    Key: key,
    UpdateExpression: `SET ${assignments.join(', ')} ADD hits :one`,
    ExpressionAttributeNames: Object.fromEntries(facts.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ':one': 1,
      ...Object.fromEntries(facts.map(([name, value]) => [`:${name}`, value])),
    },
  };
}
