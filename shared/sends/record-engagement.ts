import type * as z from 'zod/mini';
import type { contactEnvironment } from '#shared/config/environment';
import { deliveriesOf } from '#shared/deliveries/outbox';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { namedAsSeen } from '#shared/sending/send-items';
import { webhookEventOf } from '#shared/sending/send-webhook-event';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { openTable } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring-reader';
import type { Engagement, Hit } from '#shared/tracking/engagement';
import { openEngagementStore } from '#shared/tracking/engagement-store';
import { type LinkedMail, openTimelineStore } from './timeline-store.ts';

/** What the endpoints behind tracked links and pixels use. */
export function openHitRecording(environment: z.output<typeof contactEnvironment>) {
  const table = openTable(environment.TABLE_NAME);
  return {
    now: Date.now,
    keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
    timelines: openTimelineStore(table),
    settlements: openSettlementStore(table),
    engagements: openEngagementStore(table),
    wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
  };
}
export type HitRecording = ReturnType<typeof openHitRecording>;

/** What recording a hit uses. A hit is one fetch of a pixel or link. */
export type EngagementRecording = Omit<HitRecording, 'now' | 'keyring'>;

/**
 * Records an open or click in its send's timeline. Webhooks report the first hit, and, if that was a
 * machine's, also the first by a person. A hit proves that SES took the email; if the email is in doubt, the
 * proof is recorded first. Nothing is recorded for an organization that is gone or has its links disabled.
 *
 * @param mail what the link leads to, if it is being read already.
 */
export async function recordEngagement(
  engagement: Engagement,
  hit: Hit,
  recording: EngagementRecording,
  mail: Promise<LinkedMail> = linkedMailOf(engagement, hit, recording),
): Promise<void> {
  let outcome = await tryRecording(engagement, hit, recording, mail);
  while (outcome === 'send_changed') {
    const again = linkedMailOf(engagement, hit, recording);
    outcome = await tryRecording(engagement, hit, recording, again);
  }
}

const linkedMailOf = (
  { feedbackId }: Engagement,
  { at }: Hit,
  { timelines }: EngagementRecording,
): Promise<LinkedMail> => timelines.getLinked(feedbackId, at);

/**
 * @returns `send_changed`, with nothing written, if a person was erased from the send since it was read: the
 *   report of the hit would bring the address back.
 */
async function tryRecording(
  engagement: Engagement,
  hit: Hit,
  { settlements, engagements, wakeQueue }: EngagementRecording,
  mail: Promise<LinkedMail>,
): Promise<'recorded' | 'send_changed'> {
  const [{ send, organization }, isNews] = await Promise.all([
    mail,
    engagements.findOutIfNews(engagement, hit),
  ]);
  const isLinked = send !== undefined && organization !== undefined && !organization.linksDisabled;
  if (!isLinked) return 'recorded';
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
    await engagements.countHit(engagement, hit, send.expiresAt);
    return 'recorded';
  }
  const outcome = await engagements.countNews(
    engagement,
    hit,
    deliveries,
    send.expiresAt,
    namedAsSeen(send),
  );
  if (outcome === 'told') await wakeQueue(deliveries);
  return outcome === 'send_changed' ? outcome : 'recorded';
}
