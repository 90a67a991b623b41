import * as z from 'zod/mini';
import { type Event, eventTypes } from '#shared/events/event';
import { toEvent } from '#shared/events/event-store';
import type { Organization } from '#shared/organizations/organization';
import { toOrganization } from '#shared/organizations/organization-store';
import { deliveredMessageOf } from '#shared/sending/event-attributes';
import type { Acceptance, Send } from '#shared/sending/send';
import { readSend } from '#shared/sending/send-items';
import { isExpired } from '#shared/table/expiry';
import { organizationKey } from '#shared/table/keys';
import { batchGet, getItem, queryAll } from '#shared/table/reads';
import { sendKey, sendPartition } from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import {
  type FeedbackId,
  organizationIdOf,
  type SendId,
  slotIdIn,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { toDelivery } from '#shared/webhook-deliveries/delivery-store';
import { acceptancesOf, type Message, messageOf, onceEach } from './message.ts';

/**
 * Each list is oldest first, except that `sent` precedes all other events. A send has one `opened`, one `clicked` per
 * link, and one event of each other type per message (`table/send-keys.ts`): usually one message, more if an attempt in
 * doubt turns out to have gone out.
 */
export type Timeline = {
  readonly send: Send;
  readonly messages: readonly Message[];
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
};

/**
 * Reads a send's whole partition with one Query, or more if it exceeds DynamoDB's page of 1 MB. Leaves out expired
 * items of an earlier send in the slot.
 */
export async function getTimeline(
  table: Table,
  sendId: SendId,
  now: number,
): Promise<Timeline | undefined> {
  const items = await queryAll(table, { pk: sendPartition(slotIdIn(sendId)) });
  const itemsOf = groupByKind(items.filter((item) => !isExpired(item, now)));
  const send = readSend(itemsOf('SEND')[0], now);
  return send?.id === sendId ? toTimeline(send, itemsOf) : undefined;
}

/** Strongly consistent, unless a read that may be a moment old is enough: that costs half. */
export async function getSend(
  table: Table,
  feedbackId: FeedbackId,
  now: number,
  { isConsistent = true } = {},
): Promise<Send | undefined> {
  const item = await getItem(table, sendKey(slotIdIn(feedbackId)), { isConsistent });
  const send = readSend(item, now);
  return send?.feedbackId === feedbackId ? send : undefined;
}

/**
 * Reads both in one call, strongly consistent. Callers whose writes require what they read can accept a moment-old
 * read: it costs half, and reads again if one is missing.
 */
export async function getSendOfOrganization(
  table: Table,
  feedbackId: FeedbackId,
  now: number,
  { isConsistent = true } = {},
): Promise<SendOfOrganization> {
  const slotId = slotIdIn(feedbackId);
  const ofSend = sendKey(slotId);
  const ofOrganization = organizationKey(organizationIdOf(slotId));
  const itemOf = await batchGet(table, [ofSend, ofOrganization], { isConsistent });
  const found = readSend(itemOf(ofSend), now);
  const send = found?.feedbackId === feedbackId ? found : undefined;
  const organization = itemOf(ofOrganization);
  const isComplete = send !== undefined && organization !== undefined;
  if (!isComplete && !isConsistent) return getSendOfOrganization(table, feedbackId, now);
  return { send, organization: organization && toOrganization(organization) };
}

function toTimeline(send: Send, itemsOf: (kind: string) => readonly StoredItem[]): Timeline {
  const acceptances = onceEach([...acceptancesOf(send), ...itemsOf('MESSAGE').map(toAcceptance)]);
  const sent = acceptances.map(
    ({ providerMessageId, at }) => ({ type: 'sent', ts: at, providerMessageId }) as const,
  );
  return {
    send,
    messages: acceptances.map((one) => messageOf(send, one)).sort(byCreation),
    events: [...sent, ...itemsOf('EVENT').map(toEvent), ...inlineEventsOf(send)].sort(byLifecycle),
    deliveries: itemsOf('DELIVERY').map(toDelivery).sort(byCreation),
  };
}

/** The events held in the send itself. */
function inlineEventsOf(send: Send): Event[] {
  const { deliveredAt, opens, openedAt, machineOpenedAt } = send;
  const openTs = openedAt ?? machineOpenedAt;
  const providerMessageId = deliveredMessageOf(send);
  return [
    ...(deliveredAt === undefined
      ? []
      : [
          {
            type: 'delivered',
            ts: deliveredAt,
            ...(providerMessageId !== undefined && { providerMessageId }),
          } as const,
        ]),
    ...(opens === undefined || openTs === undefined
      ? []
      : [{ type: 'opened', ts: openTs, hits: opens, machine: openedAt === undefined } as const]),
  ];
}

function groupByKind(items: readonly StoredItem[]): (kind: string) => readonly StoredItem[] {
  const groups = Map.groupBy(items, (item) => z.string().parse(item['sk']).split('#')[0]);
  return (kind) => groups.get(kind) ?? [];
}

const furtherMessageSchema = z.object({ providerMessageId: z.string(), sentAt: z.int() });

function toAcceptance(item: StoredItem): Acceptance {
  const { providerMessageId, sentAt } = furtherMessageSchema.parse(item);
  return { providerMessageId, at: sentAt };
}

type Created = { readonly createdAt: number };

const byCreation = (one: Created, other: Created): number => one.createdAt - other.createdAt;

/** `sent` comes first, whatever the clocks say. Simultaneous events follow the order in which they happen. */
function byLifecycle(one: Event, other: Event): number {
  const isSent = (event: Event) => Number(event.type === 'sent');
  const rank = (event: Event) => eventTypes.indexOf(event.type);
  return isSent(other) - isSent(one) || one.ts - other.ts || rank(one) - rank(other);
}

/** The send is absent once forgotten, the organization once deleted. */
export type SendOfOrganization = {
  readonly send: Send | undefined;
  readonly organization: Organization | undefined;
};
