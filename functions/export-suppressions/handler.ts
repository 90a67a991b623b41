import { openAuditStore } from '#shared/audit/audit-store';
import { WithHeaders } from '#shared/endpoints/endpoint';
import { serve } from '#shared/endpoints/serve';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { endpoint } from './endpoint.ts';
import { exportSuppressions } from './export-suppressions.ts';

export const handler = serve(
  endpoint,
  { suppressions: openSuppressionListStore, audit: openAuditStore },
  async (request, reading) => {
    const { csv, next } = await exportSuppressions(request, reading);
    return new WithHeaders(csv, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="suppressions.csv"',
      ...(next && { Link: linkTo(next) }),
    });
  },
);

/** RFC 8288: where the next file is. */
const linkTo = (query: Readonly<Record<string, string>>): string =>
  `</api/v1/suppressions/export?${new URLSearchParams(query)}>; rel="next"`;
