import { type ContactId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { contactKey } from './contact-keys.ts';
import { type Key, organizationPartition, shardOf, sortableTime } from './keys.ts';

/** The cause is kept out of the contact's item, which every send reads and which must stay small. */
export const suppressionKey = (contactId: ContactId, reason: string): Key => ({
  pk: contactKey(contactId).pk,
  sk: `SUPPRESSION#${reason}`,
});

/** Sharded like the sends: an import, or a day of bounces, would fill one partition and throttle other writers. */
const suppressionListShards = 8;

/** Holds the suppressions listed before 2026-11-22. */
const unshardedPartition = (organizationId: OrganizationId, reason: string): string =>
  `${organizationPartition(organizationId)}#SUPPRESSIONS#${reason}`;

const shardPartition = (organizationId: OrganizationId, reason: string, shard: number): string =>
  `${unshardedPartition(organizationId, reason)}#${shard}`;

export const suppressionListPartitions = (
  organizationId: OrganizationId,
  reason: string,
): string[] => [
  unshardedPartition(organizationId, reason),
  ...Array.from({ length: suppressionListShards }, (_, shard) =>
    shardPartition(organizationId, reason, shard),
  ),
];

/** The reason tells apart two suppressions of a contact from the same moment when several lists are read as one. */
export const suppressionListIndexKey = (contactId: ContactId, reason: string, at: number) => ({
  gsi2pk: shardPartition(
    organizationIdOf(contactId),
    reason,
    shardOf(contactId, suppressionListShards),
  ),
  gsi2sk: `${sortableTime(at)}#${reason}-${contactId}`,
});

export const importLeaseKey = (organizationId: OrganizationId): Key => ({
  pk: organizationPartition(organizationId),
  sk: 'IMPORT',
});
