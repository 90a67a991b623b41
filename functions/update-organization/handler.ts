import { openOrganizationManagement } from '#shared/access/organization-management';
import { serveOperator } from '#shared/endpoints/serve-secret';
import { toLimitsView } from '#shared/organizations/limits-view';
import { openLinkDomainStore } from '#shared/organizations/link-domain-store';
import { endpoint } from './endpoint.ts';
import { updateOrganization } from './update-organization.ts';

export const handler = serveOperator(
  endpoint,
  (table, environment) => ({
    ...openOrganizationManagement(table),
    linkDomains: environment.LINK_DOMAINS,
    linkDomainStore: openLinkDomainStore(table),
  }),
  async (request, management) => {
    const organization = await updateOrganization(request, management);
    const limits = toLimitsView(organization.limits, management.limitsOfDeployment);
    return { ...organization, limits };
  },
);
