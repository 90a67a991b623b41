import { openApiKeyStore } from '#shared/access/api-key-store';
import { openOrganizationManagement } from '#shared/access/organization-management';
import { parseEnvironment, retentionEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
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

export const handler = jsonEndpoint(async ({ headers, readBody }) => {
  const organization = await updateOrganizationSettings(
    presentedCredential(headers),
    () => parseBody(endpoint.body, readBody()),
    changing,
  );
  return jsonResponse(endpoint.answers[200].body.parse(settingsOf(organization)));
});
