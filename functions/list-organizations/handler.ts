import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openOperatorGate } from '#shared/http/shared-secret';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listOrganizations } from './list-organizations.ts';

const environment = parseEnvironment(operatorEnvironment);
const listing = {
  admitOperator: openOperatorGate(environment.OPERATOR_SECRET_ID),
  organizations: openOrganizationStore(openTable(environment.TABLE_NAME)),
};

export const handler = serve(endpoint, listing, listOrganizations);
