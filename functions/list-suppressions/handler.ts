import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listSuppressions } from './list-suppressions.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  suppressions: openSuppressionListStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const { suppressions, nextCursor } = await listSuppressions(
    presentedCredential(headers),
    () => parseParameters(endpoint.query, query),
    reading,
  );
  return jsonResponse(
    endpoint.answers[200].body.parse({ data: suppressions.map(toSuppressionView), nextCursor }),
  );
});
