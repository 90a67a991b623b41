import { findOrganization } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import type { OrganizationId } from '#shared/tokens/resource-id';

/**
 * Reads an organization of the deployment.
 *
 * @throws ServiceError `organization_not_found`
 */
export const getOrganization = (
  id: OrganizationId | undefined,
  organizations: OrganizationStore,
): Promise<Organization> => findOrganization(id, organizations);
