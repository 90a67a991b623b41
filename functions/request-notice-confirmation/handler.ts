import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openConfirmationStore } from '#shared/notices/confirmation-store';
import { settingsOf } from '#shared/organizations/organization-settings';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { requestNoticeConfirmation } from './request-notice-confirmation.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const requesting = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  organizations: openOrganizationStore(table),
  confirmations: openConfirmationStore(table),
};

export const handler = bodilessEndpoint(async ({ headers }) => {
  const organization = await requestNoticeConfirmation(presentedCredential(headers), requesting);
  return jsonResponse(endpoint.answers[200].body.parse(settingsOf(organization)));
});
