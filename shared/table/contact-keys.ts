import { type ContactId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { type Key, organizationPartition, sha256, shardOf } from './keys.ts';

export const contactSortKey = 'CONTACT';

export const contactKey = (contactId: ContactId): Key => ({
  pk: `${organizationPartition(organizationIdOf(contactId))}#CONTACT#${contactId}`,
  sk: contactSortKey,
});

/** IAM pattern, for every organization. */
export const contactPartitions = 'ORG#*#CONTACT#*';

/** Not a keyed digest: it's stored beside the address itself and deleted with it. */
export const contactIndexPartition = (identity: string): string => `EMAIL#${sha256(identity)}`;

export const contactIndexKey = (identity: string, contactId: ContactId) => ({
  gsi1pk: contactIndexPartition(identity),
  gsi1sk: contactId,
});

/** Sharded like the list of sends: an import's contacts would fill one partition and throttle other writers. */
const contactListShards = 8;

/** Holds the contacts listed before 2026-11-22. */
const unshardedPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#CONTACTS`;

const shardPartition = (organizationId: OrganizationId, shard: number): string =>
  `${unshardedPartition(organizationId)}#${shard}`;

/** The lists contain contacts with known addresses. */
export const contactListPartitions = (organizationId: OrganizationId): string[] => [
  unshardedPartition(organizationId),
  ...Array.from({ length: contactListShards }, (_, shard) => shardPartition(organizationId, shard)),
];

/** Sorted by address (`EmailAddress.identity`). */
export const contactListIndexKey = (identity: string, contactId: ContactId) => ({
  gsi2pk: shardPartition(organizationIdOf(contactId), shardOf(contactId, contactListShards)),
  gsi2sk: identity,
});
