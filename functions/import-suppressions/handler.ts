import { setTimeout as sleep } from 'node:timers/promises';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openSuppressionImportStore } from '#shared/suppressions/suppression-import-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { importSuppressions } from './import-suppressions.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const importing = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  imports: openSuppressionImportStore(table),
  sleep,
};

export const handler = serve(endpoint, importing, importSuppressions);
