import { openApiKeyStore } from '#shared/access/api-key-store';
import { openAuditStore } from '#shared/audit/audit-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listAuditEntries } from './list-audit-entries.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const stores = { now: Date.now, apiKeys: openApiKeyStore(table), audit: openAuditStore(table) };

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const { entries, nextCursor } = await listAuditEntries(
    presentedCredential(headers),
    () => parseParameters(endpoint.query, query),
    stores,
  );
  return jsonResponse(endpoint.answers[200].body.parse({ data: entries, nextCursor }));
});
