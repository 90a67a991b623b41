import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openKeyFreeingStore } from '#shared/sending/key-freeing-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { freeIdempotencyKey } from './free-idempotency-key.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const freeing = {
  ...openAuthentication(table),
  keys: openKeyFreeingStore(table),
};

export const handler = serve(endpoint, freeing, freeIdempotencyKey);
