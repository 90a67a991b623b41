import { hash } from 'node:crypto';
import { type DeliveryParent, deliveryParentOf } from '#shared/tokens/delivery-id';
import {
  type ApiKeyId,
  type ContactId,
  type DeliveryId,
  deliveryIdSchema,
  type FeedbackId,
  type OrganizationId,
  organizationIdOf,
  organizationIdSchema,
  ownPartIn,
  type SlotId,
  slotIdIn,
  slotIdSchema,
  type TemplateId,
  type WebhookId,
} from '#shared/tokens/resource-id';

/**
 * Every key of the table. Each partition key begins with the organization; each send, contact and rate
 * window is a partition of its own, so no organization can make a hot one.
 */
export type Key = { readonly pk: string; readonly sk: string };

const organizationPartition = (organizationId: OrganizationId) => `ORG#${organizationId}`;

/** The organization whose partition it is; `undefined` of a text that is no partition of this table. */
export const organizationOfPartition = (pk: string): OrganizationId | undefined =>
  organizationIdSchema.safeParse(pk.split('#')[1]).data;

export const organizationKey = (organizationId: OrganizationId): Key => ({
  pk: organizationPartition(organizationId),
  sk: 'ORGANIZATION',
});

export const apiKeyKey = (apiKeyId: ApiKeyId): Key => ({
  pk: organizationPartition(organizationIdOf(apiKeyId)),
  sk: `KEY#${apiKeyId}`,
});

export const categoryKey = (organizationId: OrganizationId, key: string): Key => ({
  pk: organizationPartition(organizationId),
  sk: `${categoryPrefix}${key}`,
});

/** Where an organization's categories stand, for a Query. */
export const categoriesOf = (organizationId: OrganizationId) => ({
  pk: organizationPartition(organizationId),
  skPrefix: categoryPrefix,
});

const categoryPrefix = 'CATEGORY#';

export const webhookKey = (webhookId: WebhookId): Key => ({
  pk: organizationPartition(organizationIdOf(webhookId)),
  sk: `${webhookPrefix}${webhookId}`,
});

/** Where an organization's webhook endpoints stand, for a Query. */
export const webhooksOf = (organizationId: OrganizationId) => ({
  pk: organizationPartition(organizationId),
  skPrefix: webhookPrefix,
});

const webhookPrefix = 'WEBHOOK#';

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

export const dueShards = 8;

/** Where deliveries wait for their next attempt, in the order of the moments they are due. */
export const dueIndexPartition = (shard: number): string => `DUE#${shard}`;

/** The endpoint is in the key, so that a run can be fair to all of them before it reads an item. */
export const dueIndexKey = (deliveryId: DeliveryId, webhookId: WebhookId, dueAt: number) => ({
  gsi1pk: dueIndexPartition(shardOf(deliveryId, dueShards)),
  gsi1sk: `${sortableTime(dueAt)}#${webhookId}`,
});

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

/** Epoch milliseconds as text that sorts by time. */
export const sortableTime = (moment: number): string => String(moment).padStart(15, '0');

const shardOf = (id: string, shards: number): number => id.charCodeAt(id.length - 1) % shards;

export const templatePartition = (templateId: TemplateId): string =>
  `${organizationPartition(organizationIdOf(templateId))}#TEMPLATE#${templateId}`;

export const templateKey = (templateId: TemplateId): Key => ({
  pk: templatePartition(templateId),
  sk: 'TEMPLATE',
});

/** A body stands in an item of its own: two of 256 KB and the rest exceed one item's 400 KB. */
export const templateBodyKey = (templateId: TemplateId, part: 'htmlContent' | 'content'): Key => ({
  pk: templatePartition(templateId),
  sk: `TEMPLATE#${part}`,
});

/** Holds a template's name, so that no other of the organization has it. */
export const templateNameKey = (organizationId: OrganizationId, name: string): Key => ({
  pk: `${organizationPartition(organizationId)}#TEMPLATE_NAME#${sha256(name)}`,
  sk: 'TEMPLATE_NAME',
});

export const templateListPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#TEMPLATES`;

/** Lists an organization's templates by time of creation. */
export const templateListIndexKey = (templateId: TemplateId, createdAt: number) => ({
  gsi2pk: templateListPartition(organizationIdOf(templateId)),
  gsi2sk: `${sortableTime(createdAt)}#${templateId}`,
});

/** The partition of a send, its further messages, its events and its deliveries. */
export const sendPartition = (slotId: SlotId): string =>
  `${organizationPartition(organizationIdOf(slotId))}#SEND#${slotId.slice(slotPrefixLength)}`;

const slotPrefixLength = 'slt_'.length + 16;

/** @throws ZodError when it is no partition of a send. */
export function slotIdAt(pk: string): SlotId {
  const [, organization = '', , slot = ''] = pk.split('#');
  return slotIdSchema.parse(`slt_${organization.slice('org_'.length)}${slot}`);
}

export const sendKey = (slotId: SlotId): Key => ({ pk: sendPartition(slotId), sk: sendSortKey });

/** Of every send; and what those of its events and of its further messages begin with. */
export const sendSortKey = 'SEND';
export const eventSortKeyPrefix = 'EVENT#';
export const messageSortKeyPrefix = 'MESSAGE#';

/** A further message of a send: the send itself holds the first. */
export const messageKey = (slotId: SlotId, providerMessageId: string): Key => ({
  pk: sendPartition(slotId),
  sk: `${messageSortKeyPrefix}${providerMessageId}`,
});

/**
 * One `opened` event a send. The key names the send and not its slot alone: an earlier send of the slot
 * may have left one that is expired and not yet deleted.
 */
export const openedKey = (feedbackId: FeedbackId): Key => ({
  pk: sendPartition(slotIdIn(feedbackId)),
  sk: `${eventSortKeyPrefix}opened#${ownPartIn(feedbackId)}`,
});

/** One `clicked` event a send and link. */
export const clickedKey = (feedbackId: FeedbackId, destination: string): Key => ({
  pk: sendPartition(slotIdIn(feedbackId)),
  sk: `${eventSortKeyPrefix}clicked#${ownPartIn(feedbackId)}#${sha256(destination)}`,
});

/** One event per message and type: the key itself makes events idempotent. */
export const eventKey = (slotId: SlotId, type: string, providerMessageId: string): Key => ({
  pk: sendPartition(slotId),
  sk: `${eventSortKeyPrefix}${type}#${providerMessageId}`,
});

/** `minute` counts from the epoch. */
export const rateWindowKey = (apiKeyId: ApiKeyId, minute: number): Key => ({
  pk: `${organizationPartition(organizationIdOf(apiKeyId))}#RATE#${apiKeyId}`,
  sk: `${minute}`,
});

export const contactKey = (contactId: ContactId): Key => ({
  pk: `${organizationPartition(organizationIdOf(contactId))}#CONTACT#${contactId}`,
  sk: 'CONTACT',
});

/** Where the deliveries that tell of a contact stand, for a Query. */
export const deliveriesOfContact = (contactId: ContactId) => ({
  pk: contactKey(contactId).pk,
  skPrefix: deliverySortKeyPrefix,
});

const usagePartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#USAGE`;

/** What an organization used in a month (`YYYY-MM`, UTC), as one shard of the table's stream tells. */
export const usageKey = (organizationId: OrganizationId, month: string, shardId: string): Key => ({
  pk: usagePartition(organizationId),
  sk: `${month}#${shardId}`,
});

/** Where an organization's usage of these months stands, both included, for a Query. */
export const usageOf = (organizationId: OrganizationId, from: string, to: string) => ({
  pk: usagePartition(organizationId),
  firstSk: `${from}#`,
  // No shard's id has a character after it.
  lastSk: `${to}#~`,
});

/** Every organization's usage partition and no other, as IAM writes it. */
export const usagePartitions = 'ORG#*#USAGE';

/** Finds a send, or a further message of one, by the id that SES gave the message. */
export const providerMessageIndexKey = (providerMessageId: string) => ({
  gsi1pk: `PROVIDER#${providerMessageId}`,
  gsi1sk: 'MESSAGE',
});

/**
 * Lists an organization's sends by time. A partition takes 1,000 writes a second and an
 * ever-increasing sort key never splits, so the list is spread over shards by the send's own slot.
 */
export const sendListShards = 8;

export const sendListIndexKey = (slotId: SlotId, createdAt: number) => ({
  gsi2pk: `${organizationPartition(organizationIdOf(slotId))}#SENDS#${shardOf(slotId, sendListShards)}`,
  gsi2sk: sendPosition(slotId, createdAt),
});

export const recipientIndexPartition = (contactId: ContactId): string => `TO#${contactId}`;

/** Lists the sends to one recipient by time. */
export const recipientIndexKey = (contactId: ContactId, slotId: SlotId, createdAt: number) => ({
  gsi3pk: recipientIndexPartition(contactId),
  gsi3sk: sendPosition(slotId, createdAt),
});

/** Where a send stands in a list by time; the slot tells two of one moment apart. */
const sendPosition = (slotId: SlotId, createdAt: number): string =>
  `${sortableTime(createdAt)}#${slotId.slice(slotPrefixLength)}`;

export const contactIndexPartition = (identity: string): string => `EMAIL#${sha256(identity)}`;

/** Finds the contacts with one address in every organization. */
export const contactIndexKey = (identity: string, contactId: ContactId) => ({
  gsi1pk: contactIndexPartition(identity),
  gsi1sk: contactId,
});

const sha256 = (text: string): string => hash('sha256', text, 'hex');
