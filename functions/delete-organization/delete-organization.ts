import { newAuditEntry } from '#shared/audit/audit-entry';
import { invalidField } from '#shared/errors/service-error';
import { changedMeanwhile, organizationNotFound } from '#shared/organizations/change-organization';
import type { OrganizationManagement } from '#shared/organizations/organization-management';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { DeleteOrganizationQuery } from './schema.ts';

/**
 * Deletes an organization. From the next request on its keys are refused, its links show nothing and its
 * sends cannot be read. What is stored of it expires, or is removed by `purge-organizations`. Doing it again
 * changes nothing.
 *
 * @throws ServiceError `organization_not_found`, `validation_failed`, `concurrent_change`
 */
export async function deleteOrganization(
  id: OrganizationId | undefined,
  { name }: DeleteOrganizationQuery,
  { now: readClock, organizations }: OrganizationManagement,
): Promise<void> {
  const organization = id && (await organizations.get(id));
  if (organization === undefined) {
    const deleted = id && (await organizations.getDeleted(id));
    if (deleted === undefined) throw organizationNotFound();
    return;
  }
  if (organization.name !== name) throw invalidField('name', "must be the organization's name");
  const deletedAt = readClock();
  const change = { action: 'organization.deleted', target: organization.id, before: { name } };
  const outcome = await organizations.delete(
    { id: organization.id, name, deletedAt },
    newAuditEntry(organization.id, 'operator', change, deletedAt),
  );
  const isGone = outcome === 'deleted' || (await organizations.getDeleted(organization.id));
  if (!isGone) throw changedMeanwhile('The organization');
}
