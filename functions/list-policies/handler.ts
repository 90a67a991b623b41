import { openAuthentication, organizationOf } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { policyViewsOf } from '#shared/organizations/policy-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  ...openAuthentication(table),
  organizations: openOrganizationStore(table),
};

export const handler = serve(endpoint, reading, async ({ caller }, { organizations }) => ({
  data: policyViewsOf(await organizationOf(caller, organizations)),
  nextCursor: null,
}));
