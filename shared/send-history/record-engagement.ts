import type { Service } from '#shared/endpoints/endpoint';
import type { RequestLog } from '#shared/observability/request-log';
import { requireOwnLinkHost } from '#shared/organizations/link-domains';
import type { Organization } from '#shared/organizations/organization';
import type { WebhookSubscriptions } from '#shared/organizations/webhook-subscriptions';
import { hasErased } from '#shared/sending/erased-recipients';
import type { Send } from '#shared/sending/send';
import { requireReportedAsRead } from '#shared/sending/send-items';
import { recordProof } from '#shared/sending/send-store';
import { webhookEventOf } from '#shared/sending/send-webhook-event';
import { sendPartitions } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { readsKeyring } from '#shared/tokens/keyring-reader';
import type { Keyring } from '#shared/tokens/signed-token';
import {
  type Engagement,
  type Hit,
  isNews,
  type KnownHits,
  withoutPath,
} from '#shared/tracking/engagement';
import { countHit, countNews, findHits } from '#shared/tracking/engagement-store';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { type WakeQueue, wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { countOpen, countOpenNews, markFirst } from './send-event-store.ts';
import { getSendOfOrganization, type SendOfOrganization } from './timeline-store.ts';

/** Shared by the endpoints that links and pixels in emails lead to. */
export const hitDeclaration = {
  access: 'anybody',
  isForPeople: true,
  uses: { keyring: readsKeyring, wakeQueue: wakesWebhooks },
  lambda: {
    stack: 'Links',
    reservation: 'links',
    tableActions: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    writesOnlyIn: { PutItem: [sendPartitions], UpdateItem: [sendPartitions] },
  },
} as const;

export type EngagementRecording = Pick<Service, 'table'> & {
  readonly wakeQueue: WakeQueue;
};

export type HitRecording = EngagementRecording &
  Pick<Service, 'now'> & { readonly keyring: () => Promise<Keyring> };

/** `undefined` if it can't be read: people still reach the page that the email promised. */
export async function senderOf(
  mail: Promise<SendOfOrganization>,
  log: RequestLog,
): Promise<Organization | 'unread' | undefined> {
  try {
    return (await mail).organization;
  } catch (error) {
    log.error('sender of a link not read', error);
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
  mail = getSendOfOrganization(recording.table, engagement.feedbackId, hit.at, {
    isConsistent: false,
  }),
): Promise<void> {
  let outcome = await tryRecording(engagement, hit, recording, mail);
  while (outcome === 'send_changed') {
    const again = getSendOfOrganization(recording.table, engagement.feedbackId, hit.at);
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
  { table, wakeQueue }: EngagementRecording,
  mail: Promise<SendOfOrganization>,
): Promise<'recorded' | 'send_changed'> {
  const isOpen = engagement.type === 'opened';
  const [{ send, organization }, item] = await Promise.all([
    mail,
    isOpen ? undefined : findHits(table, engagement),
  ]);
  const isLinked = send !== undefined && organization !== undefined && !organization.linksDisabled;
  if (!isLinked) return 'recorded';
  if (send.providerMessageId === undefined) {
    await recordProof(table, send, hit.at);
  }

  // The token brings the link's whole address, which may name a person who was erased.
  const shown = hasErased(send) ? withoutPath(engagement) : engagement;
  const known = isOpen ? knownOpensOf(send) : item;
  const deliveries = isNews(known, hit)
    ? hitDeliveries(send, shown, hit, organization.webhooks)
    : [];
  const outcome = isOpen
    ? await recordOpen(table, send, hit, deliveries)
    : await recordClick(table, send, shown, hit, { known, deliveries });
  if (outcome === 'reported' && deliveries.length > 0) await wakeQueue(deliveries);
  return outcome === 'send_changed' ? outcome : 'recorded';
}

const recordOpen = (table: Table, send: Send, hit: Hit, deliveries: readonly Delivery[]) =>
  deliveries.length > 0 ? countOpenNews(table, send, hit, deliveries) : countOpen(table, send, hit);

/**
 * The send's note of the first person comes before the count, and needs no repetition. What makes the event stores the
 * link, so it requires the send as read.
 */
async function recordClick(
  table: Table,
  send: Send,
  click: Engagement,
  hit: Hit,
  {
    known,
    deliveries,
  }: { readonly known: KnownHits | undefined; readonly deliveries: readonly Delivery[] },
) {
  if (!hit.isMachine) await markFirst(table, send, click.type, hit.at);
  if (known !== undefined && deliveries.length === 0) return countHit(table, click, hit);
  return countNews(table, click, hit, deliveries, send.expiresAt, requireReportedAsRead(send));
}

const knownOpensOf = ({ opens, openedAt }: Send): KnownHits | undefined =>
  opens === undefined ? undefined : { personTs: openedAt };

function hitDeliveries(
  send: Send,
  { type, url, feedbackId, key }: Engagement,
  { at, isMachine }: Hit,
  subscriptions: WebhookSubscriptions,
): readonly Delivery[] {
  const event = { type, ts: at, machine: isMachine, ...(url !== undefined && { url }) };
  return deliveriesOf(
    { ...webhookEventOf(send, event), key: `${key.sk} ${isMachine ? 'machine' : 'person'}` },
    { parent: feedbackId, expiresAt: send.expiresAt },
    subscriptions,
    at,
  );
}
