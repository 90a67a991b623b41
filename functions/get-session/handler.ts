import { openAuthentication } from '#shared/access/authenticate';
import { accountEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { getSession } from './get-session.ts';

const { TABLE_NAME, AWS_REGION: region } = parseEnvironment(accountEnvironment);
const table = openTable(TABLE_NAME);
const capability = {
  ...openAuthentication(table),
  organizations: openOrganizationStore(table),
  region,
};

export const handler = serve(endpoint, capability, getSession);
