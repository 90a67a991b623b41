import { openApiKeyStore } from '#shared/access/api-key-store';
import { openOrganizationManagement } from '#shared/access/organization-management';
import { parseEnvironment, retentionEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openConfirmationStore } from '#shared/notices/confirmation-store';
import { settingsOf } from '#shared/organizations/organization-settings';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { updateOrganizationSettings } from './update-organization-settings.ts';

const environment = parseEnvironment(retentionEnvironment);
const table = openTable(environment.TABLE_NAME);
const changing = {
  ...openOrganizationManagement(table),
  apiKeys: openApiKeyStore(table),
  confirmations: openConfirmationStore(table),
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
};

export const handler = serve(endpoint, changing, async (request, capability) =>
  settingsOf(await updateOrganizationSettings(request, capability)),
);
