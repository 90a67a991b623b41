import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Key, organizationPartition, sortableTime } from './keys.ts';

/**
 * Lists the organizations by time of creation, in one partition: no deployment makes a thousand of them in
 * a second, and a change of one does not rewrite its entry.
 */
export const organizationListPartition = 'ORGANIZATIONS';

export const organizationListIndexKey = (id: OrganizationId, createdAt: number) => ({
  gsi2pk: organizationListPartition,
  gsi2sk: `${sortableTime(createdAt)}#${id}`,
});

/** Stands where a deleted organization was, until nothing of it is left. */
export const deletedOrganizationKey = (id: OrganizationId): Key => ({
  pk: organizationPartition(id),
  sk: 'DELETED',
});

export const deletedOrganizationListPartition = 'DELETED_ORGANIZATIONS';

/** Lists the deleted organizations of which something may be left. */
export const deletedOrganizationListIndexKey = (id: OrganizationId, deletedAt: number) => ({
  gsi2pk: deletedOrganizationListPartition,
  gsi2sk: `${sortableTime(deletedAt)}#${id}`,
});

/** Where the removal of what deleted organizations left has come to. There is one at a time. */
export const purgeKey: Key = { pk: 'PURGE', sk: 'PURGE' };
