import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { readPath } from '#shared/http/parse-request';
import { openKeyFreeingStore } from '#shared/sending/key-freeing-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { freeIdempotencyKey } from './free-idempotency-key.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const freeing = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  keys: openKeyFreeingStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { key } = readPath(endpoint.path, pathParameters);
  await freeIdempotencyKey(presentedCredential(headers), key, freeing);
  return noContentResponse;
});
