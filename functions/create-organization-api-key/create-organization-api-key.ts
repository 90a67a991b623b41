import { apiKeyCreated, type NewApiKey, newManagerKey } from '#shared/access/api-key';
import type { OrganizationManagement } from '#shared/access/organization-management';
import { organizationNotFound } from '#shared/organizations/change-organization';
import type { OrganizationId } from '#shared/tokens/resource-id';

/**
 * Gives an organization a new key that may do everything in it, for when the last one was lost.
 *
 * @throws ServiceError `organization_not_found`
 */
export async function createOrganizationApiKey(
  id: OrganizationId | undefined,
  { now, organizations }: OrganizationManagement,
): Promise<NewApiKey> {
  if (id === undefined) throw organizationNotFound();
  const created = newManagerKey(id, now());
  const entry = apiKeyCreated(created.apiKey, 'operator');
  const outcome = await organizations.addApiKey(created.apiKey, entry);
  if (outcome === 'unknown') throw organizationNotFound();
  return created;
}
