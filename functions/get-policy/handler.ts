import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { readPath } from '#shared/http/parse-request';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { getPolicy } from './get-policy.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const stores = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  organizations: openOrganizationStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { key } = readPath(endpoint.path, pathParameters);
  const policy = await getPolicy(presentedCredential(headers), key, stores);
  return jsonResponse(endpoint.answers[200].body.parse(policy));
});
