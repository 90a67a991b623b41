import { digest } from '#shared/tokens/base32';
import {
  type ContactId,
  type FeedbackId,
  type OrganizationId,
  organizationIdOf,
  ownPartIn,
  type SlotId,
  slotIdIn,
  slotIdSchema,
} from '#shared/tokens/resource-id';
import {
  type DueIndex,
  dueIndexKeyOf,
  type Key,
  organizationPartition,
  sha256,
  shardOf,
  sortableTime,
} from './keys.ts';

/** Sends that wait for workers, spread like the lists. */
export const waitingIndex: DueIndex = { name: 'WAITING', shards: 8 };

/** By organization, then by when a worker looks at it. */
export const waitingIndexKey = (slotId: SlotId, dueAt: number) =>
  dueIndexKeyOf(waitingIndex, slotId, organizationIdOf(slotId), dueAt);

export const sendPartition = (slotId: SlotId): string =>
  `${organizationPartition(organizationIdOf(slotId))}#SEND#${slotId.slice(slotPrefixLength)}`;

/** IAM pattern, for every organization. */
export const sendPartitions = 'ORG#*#SEND#*';

const slotPrefixLength = 'slt_'.length + 16;

/** @throws ZodError for any other partition. */
export function slotIdAt(pk: string): SlotId {
  const [, organization = '', , slot = ''] = pk.split('#');
  return slotIdSchema.parse(`slt_${organization.slice('org_'.length)}${slot}`);
}

export const sendKey = (slotId: SlotId): Key => ({ pk: sendPartition(slotId), sk: sendSortKey });

/** Also the prefix of its events' and further messages' keys. */
export const sendSortKey = 'SEND';
export const eventSortKeyPrefix = 'EVENT#';
export const messageSortKeyPrefix = 'MESSAGE#';
export const recipientSortKeyPrefix = 'RECIPIENT#';

/** A further message; the first one is in the send itself. */
export const messageKey = (slotId: SlotId, providerMessageId: string): Key => ({
  pk: sendPartition(slotId),
  sk: `${messageSortKeyPrefix}${providerMessageId}`,
});

/** Names the send, not just its slot: an expired event of an earlier send may not be deleted yet. */
export const openedKey = (feedbackId: FeedbackId): Key => ({
  pk: sendPartition(slotIdIn(feedbackId)),
  sk: `${eventSortKeyPrefix}opened#${ownPartIn(feedbackId)}`,
});

/** One `clicked` event per send and link. */
export const clickedKey = (feedbackId: FeedbackId, destination: string): Key => ({
  pk: sendPartition(slotIdIn(feedbackId)),
  sk: `${eventSortKeyPrefix}clicked#${ownPartIn(feedbackId)}#${sha256(destination)}`,
});

/** One event per message and type: the key itself makes events idempotent. */
export const eventKey = (slotId: SlotId, type: string, providerMessageId: string): Key => ({
  pk: sendPartition(slotId),
  sk: `${eventSortKeyPrefix}${type}#${providerMessageId}`,
});

/** Finds a send or a further message by a digest of SES's message id. */
export const providerMessageIndexKey = (providerMessageId: string) => ({
  gsi1pk: `M#${digest(providerMessageId, 24)}`,
  gsi1sk: 'M',
});

/**
 * A partition takes 1,000 writes a second and an ever-increasing sort key never splits, so the send's slot picks a
 * shard.
 */
export const sendListShards = 8;

/** Test emails are listed separately, so they never get in the way of real ones. */
export type ListedMode = { readonly isTest: boolean };
const realOnes: ListedMode = { isTest: false };

export const sendListPartition = (
  organizationId: OrganizationId,
  shard: number,
  { isTest } = realOnes,
): string => `${organizationPartition(organizationId)}#${isTest ? 'TEST_SENDS' : 'SENDS'}#${shard}`;

export const sendListIndexKey = (slotId: SlotId, createdAt: number, mode = realOnes) => ({
  gsi2pk: sendListPartition(organizationIdOf(slotId), shardOf(slotId, sendListShards), mode),
  gsi2sk: sendPosition(slotId, createdAt),
});

export const outcomeListPartition = (
  organizationId: OrganizationId,
  outcome: string,
  shard: number,
  { isTest } = realOnes,
): string =>
  `${organizationPartition(organizationId)}#${isTest ? 'TEST_OUTCOME' : 'OUTCOME'}#${outcome}#${shard}`;

export const outcomeIndexKey = (slotId: SlotId, outcome: string, at: number, mode = realOnes) => ({
  gsi2pk: outcomeListPartition(
    organizationIdOf(slotId),
    outcome,
    shardOf(slotId, sendListShards),
    mode,
  ),
  gsi2sk: sendPosition(slotId, at),
});

/** For an outcome that the send's own item tells: its entry in the list by time stays. */
export function ownOutcomeIndexKey(slotId: SlotId, outcome: string, at: number, mode = realOnes) {
  const { gsi2pk: gsi4pk, gsi2sk: gsi4sk } = outcomeIndexKey(slotId, outcome, at, mode);
  return { gsi4pk, gsi4sk };
}

export const recipientIndexPartition = (contactId: ContactId, { isTest } = realOnes): string =>
  `${isTest ? 'TEST_TO' : 'TO'}#${contactId}`;

export const recipientIndexKey = (
  contactId: ContactId,
  slotId: SlotId,
  createdAt: number,
  mode = realOnes,
) => ({
  gsi3pk: recipientIndexPartition(contactId, mode),
  gsi3sk: sendPosition(slotId, createdAt),
});

/** Only an entry in the index of recipients. The send's own item has the first recipient's. */
export const furtherRecipientKey = (slotId: SlotId, contactId: ContactId): Key => ({
  pk: sendPartition(slotId),
  sk: `${recipientSortKeyPrefix}${contactId}`,
});

/** The slot's first characters tell apart two sends from the same moment. */
export const sendPosition = (slotId: SlotId, at: number): string =>
  `${sortableTime(at)}#${slotId.slice(slotPrefixLength, slotPrefixLength + 8)}`;
