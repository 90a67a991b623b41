import { openApiKeyStore } from '#shared/access/api-key-store';
import { openAuditStore } from '#shared/audit/audit-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { listAuditEntries } from './list-audit-entries.ts';
import { querySchema, responseSchema } from './schema.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const stores = { now: Date.now, apiKeys: openApiKeyStore(table), audit: openAuditStore(table) };

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const { entries, nextCursor } = await listAuditEntries(
    presentedCredential(headers),
    () => parseParameters(querySchema, query),
    stores,
  );
  return jsonResponse(responseSchema.parse({ data: entries, nextCursor }));
});
