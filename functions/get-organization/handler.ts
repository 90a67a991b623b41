import { operatorLimitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openOperatorGate } from '#shared/http/shared-secret';
import { findOrganization } from '#shared/organizations/change-organization';
import { toLimitsView } from '#shared/organizations/limits-view';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { readOrganizationUse } from '#shared/usage/read-organization-use';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(operatorLimitsEnvironment);
const table = openTable(environment.TABLE_NAME);
const reading = {
  admitOperator: openOperatorGate(environment.OPERATOR_SECRET_ID),
  organizations: openOrganizationStore(table),
};

export const handler = serve(endpoint, reading, async ({ path: { id } }, { organizations }) => {
  const organization = await findOrganization(id, organizations);
  return {
    ...organization,
    limits: toLimitsView(organization.limits, environment.ORGANIZATION_LIMITS),
    use: await readOrganizationUse(table, organization, Date.now()),
  };
});
