import { openAuditStore } from '#shared/audit/audit-store';
import { WithHeaders } from '#shared/endpoints/endpoint';
import { serve } from '#shared/endpoints/serve';
import { openNamedSendsStore } from '#shared/sends/named-sends-store';
import { openOutcomeCauses } from '#shared/sends/outcome-cause';
import { openSendListStore } from '#shared/sends/send-list-store';
import { endpoint } from './endpoint.ts';
import { exportSends } from './export-sends.ts';

export const handler = serve(
  endpoint,
  {
    sends: openSendListStore,
    names: openNamedSendsStore,
    causes: openOutcomeCauses,
    audit: openAuditStore,
  },
  async (request, exporting) => {
    const { csv, next } = await exportSends(request, exporting);
    return new WithHeaders(csv, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="emails.csv"',
      ...(next && { Link: linkTo(next) }),
    });
  },
);

/** RFC 8288: where the next file is. */
const linkTo = (query: Readonly<Record<string, string>>): string =>
  `</api/v1/sends/export?${new URLSearchParams(query)}>; rel="next"`;
