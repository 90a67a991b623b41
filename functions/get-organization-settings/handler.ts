import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { settingsOf } from '#shared/organizations/organization-settings';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { getOrganizationSettings } from './get-organization-settings.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  organizations: openOrganizationStore(table),
};

export const handler = bodilessEndpoint(async ({ headers }) => {
  const organization = await getOrganizationSettings(presentedCredential(headers), reading);
  return jsonResponse(endpoint.answers[200].body.parse(settingsOf(organization)));
});
