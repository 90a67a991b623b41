import { openAuthentication } from '#shared/access/authenticate';
import { openAuditStore } from '#shared/audit/audit-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { WithHeaders } from '#shared/endpoints/answer';
import { serve } from '#shared/endpoints/serve';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { exportSuppressions } from './export-suppressions.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  ...openAuthentication(table),
  suppressions: openSuppressionListStore(table),
  audit: openAuditStore(table),
};

export const handler = serve(endpoint, reading, async (request) => {
  const { csv, next } = await exportSuppressions(request, reading);
  return new WithHeaders(csv, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="suppressions.csv"',
    ...(next && { Link: linkTo(next) }),
  });
});

/** RFC 8288: where the next file is. */
const linkTo = (query: Readonly<Record<string, string>>): string =>
  `</api/v1/suppressions/export?${new URLSearchParams(query)}>; rel="next"`;
