import { createHash } from 'node:crypto';
import {
  type ApiKeyId,
  type ContactId,
  type FeedbackId,
  feedbackIdOf,
  type OrganizationId,
  organizationIdOf,
  type SendId,
} from '#shared/tokens/resource-id';

/**
 * Every key of the table. Each partition key begins with the organization; each send, contact,
 * idempotency key and rate window is a partition of its own, so no organization can make a hot one.
 */
export type Key = { readonly pk: string; readonly sk: string };

const organizationPartition = (organizationId: OrganizationId) => `ORG#${organizationId}`;

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

/** The partition of a send, its messages and its events. Found from the send id and the feedback id alike. */
export const sendPartition = (feedbackId: FeedbackId): string =>
  `${organizationPartition(organizationIdOf(feedbackId))}#SEND#${feedbackId}`;

export const sendKey = (feedbackId: FeedbackId): Key => ({
  pk: sendPartition(feedbackId),
  sk: 'SEND',
});

export const sendKeyOf = (sendId: SendId): Key => sendKey(feedbackIdOf(sendId));

export const messageKey = (feedbackId: FeedbackId, providerMessageId: string): Key => ({
  pk: sendPartition(feedbackId),
  sk: `MESSAGE#${providerMessageId}`,
});

/** One `opened` event a send, one `clicked` event a send and link. */
export const openedKey = (feedbackId: FeedbackId): Key => ({
  pk: sendPartition(feedbackId),
  sk: 'EVENT#opened',
});

export const clickedKey = (feedbackId: FeedbackId, destination: string): Key => ({
  pk: sendPartition(feedbackId),
  sk: `EVENT#clicked#${sha256(destination)}`,
});

/** One event per message and type: the key itself makes events idempotent. */
export const eventKey = (feedbackId: FeedbackId, type: string, providerMessageId: string): Key => ({
  pk: sendPartition(feedbackId),
  sk: `EVENT#${type}#${providerMessageId}`,
});

export const idempotencyKey = (organizationId: OrganizationId, key: string): Key => ({
  pk: `${organizationPartition(organizationId)}#IDEMPOTENCY#${sha256(key)}`,
  sk: 'IDEMPOTENCY',
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

/** `month` is `YYYY-MM`, UTC. */
export const usageKey = (organizationId: OrganizationId, month: string, name: string): Key => ({
  pk: `${organizationPartition(organizationId)}#USAGE#${month}`,
  sk: name,
});

/** Finds a message by the id that SES gave it. */
export const providerMessageIndexKey = (providerMessageId: string) => ({
  gsi1pk: `PROVIDER#${providerMessageId}`,
  gsi1sk: 'MESSAGE',
});

/**
 * Lists an organization's sends by time. A partition takes 1,000 writes a second and an
 * ever-increasing sort key never splits, so the list is spread over shards by the send's own id.
 */
export const sendListShards = 8;

export const sendListIndexKey = (sendId: SendId, createdAt: number) => {
  const shard = sendId.charCodeAt(sendId.length - 1) % sendListShards;
  return {
    gsi2pk: `${organizationPartition(organizationIdOf(sendId))}#SENDS#${shard}`,
    gsi2sk: `${String(createdAt).padStart(15, '0')}#${sendId}`,
  };
};

export const contactIndexPartition = (identity: string): string => `EMAIL#${sha256(identity)}`;

/** Finds the contacts with one address in every organization. */
export const contactIndexKey = (identity: string, contactId: ContactId) => ({
  gsi1pk: contactIndexPartition(identity),
  gsi1sk: contactId,
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
