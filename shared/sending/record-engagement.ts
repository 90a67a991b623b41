import type { Engagement, EngagementStore, Hit } from '#shared/tracking/engagement-store';
import type { Delivery } from '#shared/webhooks/delivery';
import { deliveriesOf } from '#shared/webhooks/outbox';
import { webhookEventOf } from './send-webhook-event.ts';
import type { SettlementStore } from './settlement-store.ts';
import type { TimelineStore } from './timeline-store.ts';

/** What recording a hit of a pixel or a link uses. */
export type EngagementRecording = {
  readonly timelines: TimelineStore;
  readonly settlements: SettlementStore;
  readonly engagements: EngagementStore;
  readonly wakeQueue: (deliveries: readonly Delivery[]) => Promise<void>;
};

/**
 * Records an open or a click in the timeline of its send. Receivers hear of the first hit, and, when
 * that was a machine's, of the first by a person. A hit on an email of which nobody knows what became
 * proves first of all that SES took it.
 */
export async function recordEngagement(
  engagement: Engagement,
  hit: Hit,
  { timelines, settlements, engagements, wakeQueue }: EngagementRecording,
): Promise<void> {
  const [subscribed, isNews] = await Promise.all([
    timelines.getSubscribed(engagement.feedbackId, hit.at),
    engagements.isNews(engagement, hit),
  ]);
  if (subscribed === undefined) return;
  const { send, subscriptions } = subscribed;
  if (send.providerMessageId === undefined) await settlements.recordProof(send, hit.at);

  const { type, url, feedbackId, key } = engagement;
  const event = { type, ts: hit.at, machine: hit.isMachine, ...(url !== undefined && { url }) };
  const deliveries = deliveriesOf(
    { ...webhookEventOf(send, event), key: `${key.sk} ${hit.isMachine ? 'machine' : 'person'}` },
    { parent: feedbackId, expiresAt: send.expiresAt },
    subscriptions,
    hit.at,
  );
  if (!isNews || deliveries.length === 0) {
    return engagements.countHit(engagement, hit, send.expiresAt);
  }
  const isTold = await engagements.countNews(engagement, hit, deliveries, send.expiresAt);
  if (isTold) await wakeQueue(deliveries);
}
