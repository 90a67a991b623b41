import { serveOperator } from '#shared/endpoints/serve-secret';
import { findOrganization } from '#shared/organizations/change-organization';
import { toLimitsView } from '#shared/organizations/limits-view';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { readOrganizationUse } from '#shared/usage/read-organization-use';
import { endpoint } from './endpoint.ts';

export const handler = serveOperator(
  endpoint,
  (table) => ({ table, organizations: openOrganizationStore(table) }),
  async ({ path: { id } }, { table, organizations, limitsOfDeployment, now }) => {
    const organization = await findOrganization(id, organizations);
    return {
      ...organization,
      limits: toLimitsView(organization.limits, limitsOfDeployment),
      use: await readOrganizationUse(table, organization, now()),
    };
  },
);
