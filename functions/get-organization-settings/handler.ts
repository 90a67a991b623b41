import { openAuthentication, organizationOf } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { settingsOf } from '#shared/organizations/organization-settings';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  ...openAuthentication(table),
  organizations: openOrganizationStore(table),
};

export const handler = serve(endpoint, reading, async ({ caller }, { organizations }) =>
  settingsOf(await organizationOf(caller, organizations)),
);
