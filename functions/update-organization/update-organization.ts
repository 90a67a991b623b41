import type { OrganizationManagement } from '#shared/access/organization-management';
import { changeOrganization } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import type { GivenLimits } from '#shared/organizations/organization-limits';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { UpdateOrganizationRequest } from './endpoint.ts';

/**
 * Changes the given fields of an organization, for the operator. A pause and limits count at the next send,
 * `linksDisabled` at the next click.
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
    ({ limits: standing, ...organization }) => {
      const { limits: wanted, ...changes } = request;
      const limits = withLimits(standing, wanted);
      return { ...organization, ...changes, ...(limits && { limits }) };
    },
    management,
  );

/** `undefined` where none is the organization's own. */
function withLimits(
  standing: GivenLimits | undefined,
  wanted: UpdateOrganizationRequest['limits'],
): GivenLimits | undefined {
  const limits: Record<string, number> = {};
  for (const [name, limit] of Object.entries({ ...standing, ...wanted })) {
    if (typeof limit === 'number') limits[name] = limit;
  }
  return Object.keys(limits).length === 0 ? undefined : limits;
}
