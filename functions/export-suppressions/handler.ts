import { openApiKeyStore } from '#shared/access/api-key-store';
import { openAuditStore } from '#shared/audit/audit-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { csvResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { exportSuppressions } from './export-suppressions.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  suppressions: openSuppressionListStore(table),
  audit: openAuditStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const { csv, next } = await exportSuppressions(
    presentedCredential(headers),
    () => parseParameters(endpoint.query, query),
    reading,
  );
  return csvResponse(csv, 'suppressions.csv', next && nextFile(next));
});

/** RFC 8288: where the next file is. */
const nextFile = (query: Readonly<Record<string, string>>) => ({
  Link: `</api/v1/suppressions/export?${new URLSearchParams(query)}>; rel="next"`,
});
