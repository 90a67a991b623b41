import * as z from 'zod/mini';
import { type DeliveryParent, deliveryParentOf } from '#shared/tokens/delivery-id';
import {
  type ContactId,
  type DeliveryId,
  deliveryIdSchema,
  feedbackIdOf,
  organizationIdOf,
  ownPartIn,
  type SendId,
  slotIdIn,
  type WebhookId,
} from '#shared/tokens/resource-id';
import {
  contactKey,
  type DueIndex,
  dueIndexKeyOf,
  type Key,
  organizationPartition,
  shardOf,
  sortableTime,
} from './keys.ts';
import { sendPartition } from './send-keys.ts';

/** A delivery shares a partition with its events: its send's or its contact's. */
export const deliveryKey = (deliveryId: DeliveryId): Key => ({
  pk: deliveryPartition(deliveryParentOf(deliveryId)),
  sk: `${deliverySortKeyPrefix}${deliveryId.slice(-deliveryOwnLength)}`,
});

/** The rest of the id is in the partition key. */
const deliveryOwnLength = 32;
export const deliverySortKeyPrefix = 'DELIVERY#';

/** @throws ZodError if the key isn't a delivery's. */
export function deliveryIdAt({ pk, sk }: Key): DeliveryId {
  const [, organization = '', kind = '', id = ''] = pk.split('#');
  const parent = kind === 'SEND' ? id : '';
  const letter = new Map([
    ['SEND', 's'],
    ['CONTACT', 'c'],
    ['WEBHOOK', 'w'],
  ]).get(kind);
  return deliveryIdSchema.parse(
    `dlv_${organization.slice('org_'.length)}${letter}${parent}${sk.slice(deliverySortKeyPrefix.length)}`,
  );
}

function deliveryPartition(parent: DeliveryParent): string {
  switch (parent.kind) {
    case 'send':
      return sendPartition(slotIdIn(parent.id));
    case 'contact':
      return contactKey(parent.id).pk;
    // Webhook tests are kept out of the organization's own partition, which every send reads.
    case 'webhook':
      return `${organizationPartition(organizationIdOf(parent.id))}#WEBHOOK#${parent.id}`;
  }
}

export const dueDeliveries: DueIndex = { name: 'DUE', shards: 8 };

/** What of a delivery is in its entry among the due ones. */
export type DueDelivery = {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly dueAt: number;
  readonly attemptsStarted: number;
  readonly createdAt: number;
};

/**
 * Sorted by webhook, then by due time. Attempts and creation follow, so that reading the index is enough to say what
 * waits.
 */
export function dueIndexKey(delivery: DueDelivery) {
  const { id, webhookId, dueAt, attemptsStarted, createdAt } = delivery;
  const { gsi1pk, gsi1sk } = dueIndexKeyOf(dueDeliveries, id, webhookId, dueAt);
  return { gsi1pk, gsi1sk: `${gsi1sk}#${attemptsStarted}#${createdAt}` };
}

/** @throws ZodError if it isn't such a sort key. */
export function readDueIndexKey(gsi1sk: unknown) {
  const [, dueAt, attemptsStarted, createdAt] = z.string().parse(gsi1sk).split('#').map(Number);
  return z
    .object({ dueAt: z.int(), attemptsStarted: z.int(), createdAt: z.int() })
    .parse({ dueAt, attemptsStarted, createdAt });
}

export const deliveryLogShards = 4;

/** Sorted by time, sharded like the sends. */
export const deliveryLogPartition = (webhookId: WebhookId, shard: number): string =>
  `${organizationPartition(organizationIdOf(webhookId))}#${webhookId}#${shard}`;

export const deliveryLogIndexKey = (
  webhookId: WebhookId,
  deliveryId: DeliveryId,
  createdAt: number,
) => ({
  gsi2pk: deliveryLogPartition(webhookId, shardOf(deliveryId, deliveryLogShards)),
  // The item's own key names the delivery; this only tells apart two from the same moment.
  gsi2sk: `${sortableTime(createdAt)}#${deliveryId.slice(-16)}`,
});

/** A send's deliveries, without those of an earlier send in its slot. */
export const deliveriesOfSend = (sendId: SendId) => ({
  pk: sendPartition(slotIdIn(sendId)),
  skPrefix: `${deliverySortKeyPrefix}${ownPartIn(feedbackIdOf(sendId))}`,
});

export const deliveriesOfContact = (contactId: ContactId) => ({
  pk: contactKey(contactId).pk,
  skPrefix: deliverySortKeyPrefix,
});
