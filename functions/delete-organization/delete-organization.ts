import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { afterDeletion } from '#shared/identity/deleted-owner';
import type { OrganizationDeletionStore } from '#shared/identity/organization-deletion-store';
import type { endpoint } from './endpoint.ts';

export type OrganizationDeletion = {
  readonly now: () => number;
  readonly organizations: OrganizationDeletionStore;
};

/**
 * Deletes an organization. From the next request on its keys are refused, its links show nothing and its sends can't be
 * read. What is stored of it expires or is removed by `purge-organizations`; what SES has of it is removed by
 * `check-identities`. Doing it again changes nothing.
 */
export async function deleteOrganization(
  { path: { id }, query: { name } }: Pick<RequestTo<typeof endpoint>, 'path' | 'query'>,
  { now: readClock, organizations }: OrganizationDeletion,
): Promise<undefined> {
  const { organization, identities } = await organizations.read(id);
  if (organization === undefined) {
    if ((await organizations.getDeleted(id)) !== undefined) return;
    throw new ServiceError('organization_not_found');
  }
  if (organization.name !== name) throw invalidField('name', "must be the organization's name");
  const deletedAt = readClock();
  const change = { action: 'organization.deleted', target: id, before: { name } };
  const outcome = await organizations.delete(
    { id, name, deletedAt },
    afterDeletion(organization, identities, deletedAt),
    newAuditEntry(id, 'operator', change, deletedAt),
  );
  const isGone = outcome === 'deleted' || (await organizations.getDeleted(id));
  if (!isGone) throw new ServiceError('concurrent_change');
}
