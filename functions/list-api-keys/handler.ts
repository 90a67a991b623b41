import { toApiKeyView } from '#shared/access/api-key-fields';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listApiKeys } from './list-api-keys.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const stores = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  apiKeyLists: openApiKeyStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const { apiKeys, nextCursor } = await listApiKeys(
    presentedCredential(headers),
    () => parseParameters(endpoint.query, query),
    stores,
  );
  const data = apiKeys.map((apiKey) => toApiKeyView(apiKey, stores.now()));
  return jsonResponse(endpoint.answers[200].body.parse({ data, nextCursor }));
});
