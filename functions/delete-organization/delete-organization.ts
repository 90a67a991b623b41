import { newAuditEntry } from '#shared/audit/audit-entry';
import { invalidField } from '#shared/errors/service-error';
import { afterDeletion } from '#shared/identity/deleted-owner';
import type { OrganizationDeletionStore } from '#shared/identity/organization-deletion-store';
import { changedMeanwhile, organizationNotFound } from '#shared/organizations/change-organization';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { DeleteOrganizationQuery } from './endpoint.ts';

/** What deleting an organization uses. */
export type OrganizationDeletion = {
  readonly now: () => number;
  readonly organizations: OrganizationDeletionStore;
};

/**
 * Deletes an organization. From the next request on its keys are refused, its links show nothing and its
 * sends cannot be read. What is stored of it expires, or is removed by `purge-organizations`; what SES has of
 * it is removed by `check-identities`. Doing it again changes nothing.
 *
 * @throws ServiceError `organization_not_found`, `validation_failed`, `concurrent_change`
 */
export async function deleteOrganization(
  id: OrganizationId | undefined,
  { name }: DeleteOrganizationQuery,
  { now: readClock, organizations }: OrganizationDeletion,
): Promise<void> {
  if (id === undefined) throw organizationNotFound();
  const { organization, identity } = await organizations.read(id);
  if (organization === undefined) {
    if ((await organizations.getDeleted(id)) === undefined) throw organizationNotFound();
    return;
  }
  if (organization.name !== name) throw invalidField('name', "must be the organization's name");
  const deletedAt = readClock();
  const change = { action: 'organization.deleted', target: id, before: { name } };
  const outcome = await organizations.delete(
    { id, name, deletedAt },
    afterDeletion(organization, identity, deletedAt),
    newAuditEntry(id, 'operator', change, deletedAt),
  );
  const isGone = outcome === 'deleted' || (await organizations.getDeleted(id));
  if (!isGone) throw changedMeanwhile('The organization');
}
