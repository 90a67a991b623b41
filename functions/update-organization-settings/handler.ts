import { openApiKeyStore } from '#shared/access/api-key-store';
import { openOrganizationManagement } from '#shared/access/organization-management';
import { serve } from '#shared/endpoints/serve';
import { openConfirmationStore } from '#shared/notices/confirmation-store';
import { settingsOf } from '#shared/organizations/organization-settings';
import { endpoint } from './endpoint.ts';
import { updateOrganizationSettings } from './update-organization-settings.ts';

export const handler = serve(
  endpoint,
  (table, environment) => ({
    ...openOrganizationManagement(table),
    apiKeys: openApiKeyStore(table),
    confirmations: openConfirmationStore(table),
    sendRetentionDays: environment.SEND_RETENTION_DAYS,
  }),
  async (request, capability) => settingsOf(await updateOrganizationSettings(request, capability)),
);
