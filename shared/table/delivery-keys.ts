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
import { contactKey } from './contact-keys.ts';
import { type Key, organizationPartition, shardOf, sortableTime } from './keys.ts';
import { sendPartition } from './send-keys.ts';

/** A delivery stands beside the events it tells of: in its send's partition or its contact's. */
export const deliveryKey = (deliveryId: DeliveryId): Key => ({
  pk: deliveryPartition(deliveryParentOf(deliveryId)),
  sk: `${deliverySortKeyPrefix}${deliveryId.slice(-deliveryOwnLength)}`,
});

/** The own parts of what it tells of and of itself: the rest of the id stands in the partition key. */
const deliveryOwnLength = 32;
export const deliverySortKeyPrefix = 'DELIVERY#';

/**
 * The delivery of which this is the key.
 *
 * @throws ZodError when it is the key of something else.
 */
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
    // Tests of an endpoint: not in the organization's own partition, which every send reads.
    case 'webhook':
      return `${organizationPartition(organizationIdOf(parent.id))}#WEBHOOK#${parent.id}`;
  }
}

/** One endpoint's deliveries are spread over all shards, since a partition takes 1,000 writes a second. */
export const dueShards = 8;

/** Where deliveries wait for their next attempt: endpoint by endpoint, each in the order of the due times. */
export const dueIndexPartition = (shard: number): string => `DUE#${shard}`;

/**
 * The endpoint comes first in the sort key, so one Query reads the due deliveries of one endpoint, and
 * another one skips all of them, however many there are.
 */
export const dueIndexKey = (deliveryId: DeliveryId, webhookId: WebhookId, dueAt: number) => ({
  gsi1pk: dueIndexPartition(shardOf(deliveryId, dueShards)),
  gsi1sk: `${webhookId}#${sortableTime(dueAt)}`,
});

/** Sorts before the deliveries of every endpoint. */
export const beforeAllDue = '!';

/** The sort keys of what is due to an endpoint at the moment `now`: both ends are included. */
export const dueIndexRange = (webhookId: WebhookId, now: number) => ({
  first: `${webhookId}#`,
  last: `${webhookId}#${sortableTime(now)}`,
});

/** Sorts after all deliveries of an endpoint, and before those of the next one. */
export const afterDueTo = (webhookId: WebhookId): string => `${webhookId}#~`;

export const deliveryLogShards = 4;

/** An endpoint's deliveries by time, spread over shards as the sends are. */
export const deliveryLogPartition = (webhookId: WebhookId, shard: number): string =>
  `${organizationPartition(organizationIdOf(webhookId))}#${webhookId}#${shard}`;

export const deliveryLogIndexKey = (
  webhookId: WebhookId,
  deliveryId: DeliveryId,
  createdAt: number,
) => ({
  gsi2pk: deliveryLogPartition(webhookId, shardOf(deliveryId, deliveryLogShards)),
  // The item's own key names the delivery: this only tells two of one moment apart.
  gsi2sk: `${sortableTime(createdAt)}#${deliveryId.slice(-16)}`,
});

/** Where the deliveries that tell of a send stand, for a Query: not those of an earlier send of its slot. */
export const deliveriesOfSend = (sendId: SendId) => ({
  pk: sendPartition(slotIdIn(sendId)),
  skPrefix: `${deliverySortKeyPrefix}${ownPartIn(feedbackIdOf(sendId))}`,
});

/** Where the deliveries that tell of a contact stand, for a Query. */
export const deliveriesOfContact = (contactId: ContactId) => ({
  pk: contactKey(contactId).pk,
  skPrefix: deliverySortKeyPrefix,
});
