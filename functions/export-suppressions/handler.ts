import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openSuppressionListStore } from '#shared/contacts/suppression-list-store';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { csvResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openApiKeyStore } from '#shared/organizations/api-key-store';
import { toCursor } from '#shared/table/list-position';
import { openTable } from '#shared/table/table-client';
import { exportSuppressions } from './export-suppressions.ts';
import { querySchema } from './schema.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  suppressions: openSuppressionListStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const { csv, next } = await exportSuppressions(
    presentedCredential(headers),
    () => parseParameters(querySchema, query),
    reading,
  );
  return csvResponse(csv, 'suppressions.csv', next === undefined ? {} : nextFile(next, query));
});

/** RFC 8288: where the next file is. */
function nextFile(next: string, query: Readonly<Record<string, string | undefined>>) {
  const { reason } = parseParameters(querySchema, query);
  const parameters = new URLSearchParams({ ...(reason && { reason }), cursor: toCursor(next) });
  return { Link: `</api/v1/suppressions/export?${parameters}>; rel="next"` };
}
