import { changeOrganization } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import type { OrganizationManagement } from '#shared/organizations/organization-management';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { UpdateOrganizationRequest } from './schema.ts';

/**
 * Changes the given fields of an organization, for the operator. A pause counts at the next send, `linksDisabled` at the next click.
 *
 * @throws ServiceError `organization_not_found`, `concurrent_change`
 */
export const updateOrganization = (
  id: OrganizationId | undefined,
  request: UpdateOrganizationRequest,
  management: OrganizationManagement,
): Promise<Organization> =>
  changeOrganization(
    id,
    'operator',
    (organization) => ({ ...organization, ...request }),
    management,
  );
