import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Key, organizationPartition, sortableTime } from './keys.ts';

/**
 * Lists organizations by creation in one partition: no deployment creates a thousand a second, and changes don't
 * rewrite an entry.
 */
export const organizationListPartition = 'ORGANIZATIONS';

export const organizationListIndexKey = (id: OrganizationId, createdAt: number) => ({
  gsi2pk: organizationListPartition,
  gsi2sk: `${sortableTime(createdAt)}#${id}`,
});

/** Replaces a deleted organization until nothing of it is left. */
export const deletedOrganizationKey = (id: OrganizationId): Key => ({
  pk: organizationPartition(id),
  sk: 'DELETED',
});

export const deletedOrganizationListPartition = 'DELETED_ORGANIZATIONS';

/** Lists deleted organizations that may have data left. */
export const deletedOrganizationListIndexKey = (id: OrganizationId, deletedAt: number) => ({
  gsi2pk: deletedOrganizationListPartition,
  gsi2sk: `${sortableTime(deletedAt)}#${id}`,
});

/** Progress of the one purge of deleted organizations' data. */
export const purgeKey: Key = { pk: 'PURGE', sk: 'PURGE' };
