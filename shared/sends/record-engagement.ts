import type * as z from 'zod/mini';
import type { contactEnvironment } from '#shared/config/environment';
import type { Delivery } from '#shared/deliveries/delivery';
import { deliveriesOf } from '#shared/deliveries/outbox';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import type { Organization } from '#shared/organizations/organization';
import type { Send } from '#shared/sending/send';
import { namedAsSeen } from '#shared/sending/send-items';
import { webhookEventOf } from '#shared/sending/send-webhook-event';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { openTable } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring-reader';
import { type Engagement, type Hit, isNews, type KnownHits } from '#shared/tracking/engagement';
import { openEngagementStore } from '#shared/tracking/engagement-store';
import { openHeardStore } from './heard-store.ts';
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
    heard: openHeardStore(table),
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
 *   report of the hit would bring the address back. Or if another hit was faster.
 */
async function tryRecording(
  engagement: Engagement,
  hit: Hit,
  recording: EngagementRecording,
  mail: Promise<LinkedMail>,
): Promise<'recorded' | 'send_changed'> {
  const [{ send, organization }, item] = await Promise.all([
    mail,
    recording.engagements.find(engagement),
  ]);
  const isLinked = send !== undefined && organization !== undefined && !organization.linksDisabled;
  if (!isLinked) return 'recorded';
  if (send.providerMessageId === undefined) await recording.settlements.recordProof(send, hit.at);

  const isWithSend = engagement.type === 'opened' && item === undefined;
  const counting = isWithSend
    ? countingOpens(send, hit, recording)
    : await countingItem(send, engagement, hit, recording);
  const known = isWithSend ? knownOpensOf(send) : item;
  const deliveries = isNews(known, hit) ? rowsOf(send, engagement, hit, organization) : [];
  if (deliveries.length === 0) {
    await counting.count();
    return 'recorded';
  }
  const outcome = await counting.countNews(deliveries);
  if (outcome === 'told') await recording.wakeQueue(deliveries);
  return outcome === 'send_changed' ? outcome : 'recorded';
}

const countingOpens = (send: Send, hit: Hit, { heard }: EngagementRecording) => ({
  count: () => heard.countOpen(send, hit),
  countNews: (rows: readonly Delivery[]) => heard.countOpenNews(send, hit, rows),
});

/** The send says when a person was first seen. It does so before the item counts the hit, and needs no repetition. */
async function countingItem(
  send: Send,
  engagement: Engagement,
  hit: Hit,
  { heard, engagements }: EngagementRecording,
) {
  if (!hit.isMachine) await heard.markFirst(send, engagement.type, hit.at);
  const { expiresAt } = send;
  return {
    count: () => engagements.countHit(engagement, hit, expiresAt),
    countNews: (rows: readonly Delivery[]) =>
      engagements.countNews(engagement, hit, rows, expiresAt, namedAsSeen(send)),
  };
}

const knownOpensOf = ({ opens, openedAt }: Send): KnownHits | undefined =>
  opens === undefined ? undefined : { personTs: openedAt };

/** The webhook outbox rows that report a hit. */
function rowsOf(
  send: Send,
  { type, url, feedbackId, key }: Engagement,
  { at, isMachine }: Hit,
  { webhooks }: Organization,
): readonly Delivery[] {
  const event = { type, ts: at, machine: isMachine, ...(url !== undefined && { url }) };
  return deliveriesOf(
    { ...webhookEventOf(send, event), key: `${key.sk} ${isMachine ? 'machine' : 'person'}` },
    { parent: feedbackId, expiresAt: send.expiresAt },
    webhooks,
    at,
  );
}
