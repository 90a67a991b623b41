import type { Engagement, Hit } from '#shared/tracking/engagement';
import { deliveriesOf } from '#shared/webhooks/outbox';
import { webhookEventOf } from './send-webhook-event.ts';
import type { LinkedMail } from './timeline-store.ts';
import type { VisitRecording } from './visit-recording.ts';

/** What the recording of a hit uses. A hit is one fetch of a pixel or link. */
export type EngagementRecording = Omit<VisitRecording, 'now' | 'keyring'>;

/**
 * Records an open or a click in the timeline of its send. Webhooks tell of the first hit. If that was a
 * machine's, they also tell of the first hit by a person. A hit proves that SES took the email. If the outcome
 * of the email is unknown, the proof is recorded first. Nothing is recorded for an organization that is gone, or
 * whose links are disabled.
 *
 * @param mail what stands behind the link, if it is being read already.
 */
export async function recordEngagement(
  engagement: Engagement,
  hit: Hit,
  { timelines, settlements, engagements, wakeQueue }: EngagementRecording,
  mail: Promise<LinkedMail> = timelines.getLinked(engagement.feedbackId, hit.at),
): Promise<void> {
  const [{ send, organization }, isNews] = await Promise.all([
    mail,
    engagements.findOutIfNews(engagement, hit),
  ]);
  if (send === undefined || organization === undefined || organization.linksDisabled) return;
  if (send.providerMessageId === undefined) await settlements.recordProof(send, hit.at);

  const { type, url, feedbackId, key } = engagement;
  const event = { type, ts: hit.at, machine: hit.isMachine, ...(url !== undefined && { url }) };
  const deliveries = deliveriesOf(
    { ...webhookEventOf(send, event), key: `${key.sk} ${hit.isMachine ? 'machine' : 'person'}` },
    { parent: feedbackId, expiresAt: send.expiresAt },
    organization.webhooks,
    hit.at,
  );
  if (!isNews || deliveries.length === 0) {
    return engagements.countHit(engagement, hit, send.expiresAt);
  }
  const isTold = await engagements.countNews(engagement, hit, deliveries, send.expiresAt);
  if (isTold) await wakeQueue(deliveries);
}
