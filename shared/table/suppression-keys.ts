import { type ContactId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { contactKey } from './contact-keys.ts';
import { type Key, organizationPartition, shardOf, sortableTime } from './keys.ts';

/** What caused a suppression stands beside the contact, so that the contact, which every send reads, stays small. */
export const suppressionKey = (contactId: ContactId, reason: string): Key => ({
  pk: contactKey(contactId).pk,
  sk: `SUPPRESSION#${reason}`,
});

/** As the list of sends: an import, or a day of bounces, would fill one partition and throttle who writes beside it. */
const suppressionListShards = 8;

/** All suppressions of one reason stood here until 2026-11-22, and those from before still do. */
const unshardedPartition = (organizationId: OrganizationId, reason: string): string =>
  `${organizationPartition(organizationId)}#SUPPRESSIONS#${reason}`;

const shardPartition = (organizationId: OrganizationId, reason: string, shard: number): string =>
  `${unshardedPartition(organizationId, reason)}#${shard}`;

/** Where an organization's suppressions of one reason are listed by time. */
export const suppressionListPartitions = (
  organizationId: OrganizationId,
  reason: string,
): string[] => [
  unshardedPartition(organizationId, reason),
  ...Array.from({ length: suppressionListShards }, (_, shard) =>
    shardPartition(organizationId, reason, shard),
  ),
];

/** The reason tells two suppressions of one contact and moment apart, when several lists are read as one. */
export const suppressionListIndexKey = (contactId: ContactId, reason: string, at: number) => ({
  gsi2pk: shardPartition(
    organizationIdOf(contactId),
    reason,
    shardOf(contactId, suppressionListShards),
  ),
  gsi2sk: `${sortableTime(at)}#${reason}-${contactId}`,
});

/** Held by the one import that an organization may have under way. */
export const importLeaseKey = (organizationId: OrganizationId): Key => ({
  pk: organizationPartition(organizationId),
  sk: 'IMPORT',
});
