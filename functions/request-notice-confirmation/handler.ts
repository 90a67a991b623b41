import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openConfirmationStore } from '#shared/notices/confirmation-store';
import { settingsOf } from '#shared/organizations/organization-settings';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { requestNoticeConfirmation } from './request-notice-confirmation.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const requesting = {
  ...openAuthentication(table),
  organizations: openOrganizationStore(table),
  confirmations: openConfirmationStore(table),
};

export const handler = serve(endpoint, requesting, async (request, capability) =>
  settingsOf(await requestNoticeConfirmation(request, capability)),
);
