import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
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

export const handler = serve(endpoint, freeing, freeIdempotencyKey);
