import { findOrganization } from '#shared/organizations/change-organization';
import { type OrganizationUse, toLimitsView } from '#shared/organizations/limits-view';
import type { Organization } from '#shared/organizations/organization';
import type { GivenLimits } from '#shared/organizations/organization-limits';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import type { OrganizationId } from '#shared/tokens/resource-id';

export type OrganizationReading = {
  readonly organizations: Pick<OrganizationStore, 'get'>;
  readonly readUse: (organization: Organization) => Promise<OrganizationUse>;
  readonly limitsOfDeployment: GivenLimits;
};

/**
 * Reads an organization of the deployment, with its limits and what it uses of them.
 *
 * @throws ServiceError `organization_not_found`
 */
export async function getOrganization(
  id: OrganizationId | undefined,
  { organizations, readUse, limitsOfDeployment }: OrganizationReading,
) {
  const organization = await findOrganization(id, organizations);
  return {
    ...organization,
    limits: toLimitsView(organization.limits, limitsOfDeployment),
    use: await readUse(organization),
  };
}
