import { openApiKeyManagement } from '#shared/access/change-api-key';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { revokeApiKey } from './revoke-api-key.ts';

const management = openApiKeyManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { id } = readPath(endpoint.path, pathParameters);
  await revokeApiKey(presentedCredential(headers), id, management);
  return noContentResponse;
});
