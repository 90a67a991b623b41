import type * as z from 'zod/mini';
import { linkEnvironment } from '#shared/config/environment';
import type { RequestLog } from '#shared/observability/request-log';
import { requireOwnLinkHost } from '#shared/organizations/link-domains';
import type { Organization } from '#shared/organizations/organization';
import { hasErased } from '#shared/sending/erased-recipients';
import type { Send } from '#shared/sending/send';
import { reportedAsSeen } from '#shared/sending/send-items';
import { webhookEventOf } from '#shared/sending/send-webhook-event';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { sendPartitions } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring-reader';
import {
  type Engagement,
  type Hit,
  isNews,
  type KnownHits,
  withoutPath,
} from '#shared/tracking/engagement';
import { openEngagementStore } from '#shared/tracking/engagement-store';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { createQueueWaker } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { openHeardStore } from './heard-store.ts';
import { openTimelineStore, type SendOfOrganization } from './timeline-store.ts';

/** Shared by the endpoints that links and pixels in emails lead to. */
export const hitDeclaration = {
  access: 'anybody',
  isForPeople: true,
  lambda: {
    stack: 'Links',
    environment: linkEnvironment,
    reservation: 'links',
    tableActions: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    writesOnlyIn: { PutItem: [sendPartitions], UpdateItem: [sendPartitions] },
    wakesWebhookQueue: true,
    readsSecrets: ['tokenSigningKey'],
  },
} as const;

export const openHitRecording = (table: Table, environment: z.output<typeof linkEnvironment>) => ({
  now: Date.now,
  keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
  timelines: openTimelineStore(table),
  settlements: openSettlementStore(table),
  engagements: openEngagementStore(table),
  heard: openHeardStore(table),
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
});
export type HitRecording = ReturnType<typeof openHitRecording>;

export type EngagementRecording = Omit<HitRecording, 'now' | 'keyring'>;

/** `undefined` if it can't be read: people still reach the page that the email promised. */
export async function senderOf(
  mail: Promise<SendOfOrganization>,
  log: RequestLog,
): Promise<Organization | 'unread' | undefined> {
  try {
    return (await mail).organization;
  } catch (error) {
    log.error('link not judged', error);
    return 'unread';
  }
}

/**
 * On a link domain, other organizations' links don't exist, and their hits don't count. A deleted organization has no
 * link domain.
 */
export async function requireLinkOfHost(
  linkHost: string | undefined,
  sender: Promise<Organization | 'unread' | undefined>,
): Promise<void> {
  if (linkHost === undefined) return;
  const organization = await sender;
  if (organization !== 'unread') requireOwnLinkHost(linkHost, organization, 'link_not_found');
}

/**
 * Webhooks report the first hit and, if that was a machine's, also the first by a person. A hit proves that SES took
 * the email; if that is in doubt, the proof is recorded first. Nothing is recorded for an organization that is gone or
 * has its links disabled.
 *
 * @param mail the send, if it's being read already. It may be a moment old, since writes require what they rely on.
 */
export async function recordEngagement(
  engagement: Engagement,
  hit: Hit,
  recording: EngagementRecording,
  mail = recording.timelines.getWithOrganization(engagement.feedbackId, hit.at, {
    isConsistent: false,
  }),
): Promise<void> {
  let outcome = await tryRecording(engagement, hit, recording, mail);
  while (outcome === 'send_changed') {
    const again = recording.timelines.getWithOrganization(engagement.feedbackId, hit.at);
    outcome = await tryRecording(engagement, hit, recording, again);
  }
}

/**
 * @returns `send_changed`, with nothing written, if another hit was faster, or a person was erased from the send
 *   since the read: the report would bring the address back.
 */
async function tryRecording(
  engagement: Engagement,
  hit: Hit,
  recording: EngagementRecording,
  mail: Promise<SendOfOrganization>,
): Promise<'recorded' | 'send_changed'> {
  const isOpen = engagement.type === 'opened';
  const [{ send, organization }, item] = await Promise.all([
    mail,
    isOpen ? undefined : recording.engagements.find(engagement),
  ]);
  const isLinked = send !== undefined && organization !== undefined && !organization.linksDisabled;
  if (!isLinked) return 'recorded';
  if (send.providerMessageId === undefined) await recording.settlements.recordProof(send, hit.at);

  // The token brings the link's whole address, which may name a person who was erased.
  const shown = hasErased(send) ? withoutPath(engagement) : engagement;
  const known = isOpen ? knownOpensOf(send) : item;
  const rows = isNews(known, hit) ? rowsOf(send, shown, hit, organization) : [];
  const outcome = isOpen
    ? await countOpen(send, hit, rows, recording)
    : await countClick(send, shown, hit, { known, rows }, recording);
  if (outcome === 'told' && rows.length > 0) await recording.wakeQueue(rows);
  return outcome === 'send_changed' ? outcome : 'recorded';
}

const countOpen = (
  send: Send,
  hit: Hit,
  rows: readonly Delivery[],
  { heard }: EngagementRecording,
) => (rows.length > 0 ? heard.countOpenNews(send, hit, rows) : heard.countOpen(send, hit));

/**
 * The send's note of the first person comes before the count, and needs no repetition. What makes the event stores the
 * link, so it requires the send as read.
 */
async function countClick(
  send: Send,
  click: Engagement,
  hit: Hit,
  { known, rows }: { readonly known: KnownHits | undefined; readonly rows: readonly Delivery[] },
  { heard, engagements }: EngagementRecording,
) {
  if (!hit.isMachine) await heard.markFirst(send, click.type, hit.at);
  if (known !== undefined && rows.length === 0) return engagements.countHit(click, hit);
  return engagements.countNews(click, hit, rows, send.expiresAt, reportedAsSeen(send));
}

const knownOpensOf = ({ opens, openedAt }: Send): KnownHits | undefined =>
  opens === undefined ? undefined : { personTs: openedAt };

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
