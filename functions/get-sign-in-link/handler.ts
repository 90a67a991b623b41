import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { getSignInLink } from './get-sign-in-link.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const stores = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  organizations: openOrganizationStore(table),
};

export const handler = jsonEndpoint(async ({ readBody }) => {
  const { link } = parseBody(endpoint.body, readBody());
  return jsonResponse(endpoint.answers[200].body.parse(await getSignInLink(link, stores)));
});
