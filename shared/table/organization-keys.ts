import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Key, organizationPartition, sortableTime } from './keys.ts';

/** Lists organizations by creation in one partition: no deployment creates a thousand a second. */
export const organizationListPartition = 'ORGANIZATIONS';

export const organizationListIndexKey = (id: OrganizationId, createdAt: number) => ({
  gsi2pk: organizationListPartition,
  gsi2sk: `${sortableTime(createdAt)}#${id}`,
});

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

/** Outlives the organization that has the link domain. */
export const linkDomainKey = (host: string): Key => ({ pk: `LINK_DOMAIN#${host}`, sk: 'OWNER' });

export const purgeKey: Key = { pk: 'PURGE', sk: 'PURGE' };

/** The organization that a resource in an app's stack declares. Exists before the organization, and after it. */
export const organizationDeclarationKey = (declarer: string): Key => ({
  pk: `DECLARED#${declarer}`,
  sk: 'ORGANIZATION',
});
