import type { Table } from '#shared/table/table-client';
import type { FeedbackId } from '#shared/tokens/resource-id';
import {
  countHit,
  countNews,
  type Engagement,
  type Hit,
  isNews,
} from '#shared/tracking/engagement-store';
import type { Delivery } from '#shared/webhooks/delivery';
import { deliveriesOf } from '#shared/webhooks/outbox';
import { webhookEventOf } from './send-webhook-event.ts';
import { getSubscribedSend } from './timeline-store.ts';

/**
 * Records an open or a click in the timeline of its send. Receivers hear of the first hit, and, when
 * that was a machine's, of the first by a person.
 */
export async function recordEngagement(
  table: Table,
  feedbackId: FeedbackId,
  engagement: Engagement,
  hit: Hit,
  wakeQueue: (deliveries: readonly Delivery[]) => Promise<void>,
): Promise<void> {
  const [subscribed, hasNews] = await Promise.all([
    getSubscribedSend(table, feedbackId),
    isNews(table, engagement, hit),
  ]);
  if (subscribed === undefined) return;
  const { type, url } = engagement;
  const event = { type, ts: hit.at, machine: hit.isMachine, ...(url !== undefined && { url }) };
  const key = `${engagement.key.sk} ${hit.isMachine ? 'machine' : 'person'}`;
  const deliveries = deliveriesOf(
    { ...webhookEventOf(subscribed.send, event), key },
    feedbackId,
    subscribed.subscriptions,
    hit.at,
  );
  if (!hasNews || deliveries.length === 0) return countHit(table, engagement, hit);
  const isTold = await countNews(table, engagement, hit, deliveries);
  if (isTold) await wakeQueue(deliveries);
}
