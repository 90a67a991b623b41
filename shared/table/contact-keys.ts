import { type ContactId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { type Key, organizationPartition, sha256, shardOf } from './keys.ts';

export const contactSortKey = 'CONTACT';

export const contactKey = (contactId: ContactId): Key => ({
  pk: `${organizationPartition(organizationIdOf(contactId))}#CONTACT#${contactId}`,
  sk: contactSortKey,
});

/** Every organization's contacts and nothing else, as IAM writes it. */
export const contactPartitions = 'ORG#*#CONTACT#*';

/** Without a key: it stands beside the address itself, and goes with it. */
export const contactIndexPartition = (identity: string): string => `EMAIL#${sha256(identity)}`;

/** Finds the contacts with one address in every organization. */
export const contactIndexKey = (identity: string, contactId: ContactId) => ({
  gsi1pk: contactIndexPartition(identity),
  gsi1sk: contactId,
});

/** As the list of sends: the contacts of an import would fill one partition and throttle who writes beside it. */
const contactListShards = 8;

/** All contacts stood here until 2026-11-22, and those from before still do. */
const unshardedPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#CONTACTS`;

const shardPartition = (organizationId: OrganizationId, shard: number): string =>
  `${unshardedPartition(organizationId)}#${shard}`;

/** Where an organization's contacts are listed, as far as it knows their addresses. */
export const contactListPartitions = (organizationId: OrganizationId): string[] => [
  unshardedPartition(organizationId),
  ...Array.from({ length: contactListShards }, (_, shard) => shardPartition(organizationId, shard)),
];

/** Lists them by address (`EmailAddress.identity`). */
export const contactListIndexKey = (identity: string, contactId: ContactId) => ({
  gsi2pk: shardPartition(organizationIdOf(contactId), shardOf(contactId, contactListShards)),
  gsi2sk: identity,
});
