import { setTimeout as sleep } from 'node:timers/promises';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { csvEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, parseParameters } from '#shared/http/parse-request';
import { openSuppressionImportStore } from '#shared/suppressions/suppression-import-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { importSuppressions } from './import-suppressions.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const imports = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  imports: openSuppressionImportStore(table),
  sleep,
};

export const handler = csvEndpoint(async ({ headers, query, readBody }) => {
  const result = await importSuppressions(
    {
      credential: presentedCredential(headers),
      parse: () => parseParameters(endpoint.query, query),
      readBody: () => parseBody(endpoint.body, readBody()),
    },
    imports,
  );
  return jsonResponse(endpoint.answers[200].body.parse(result));
});
