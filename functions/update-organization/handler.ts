import { openOrganizationManagement } from '#shared/access/organization-management';
import { operatorLimitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openOperatorGate } from '#shared/http/shared-secret';
import { toLimitsView } from '#shared/organizations/limits-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { updateOrganization } from './update-organization.ts';

const environment = parseEnvironment(operatorLimitsEnvironment);
const management = {
  admitOperator: openOperatorGate(environment.OPERATOR_SECRET_ID),
  ...openOrganizationManagement(openTable(environment.TABLE_NAME)),
};

export const handler = serve(endpoint, management, async (request) => {
  const organization = await updateOrganization(request, management);
  const limits = toLimitsView(organization.limits, environment.ORGANIZATION_LIMITS);
  return { ...organization, limits };
});
