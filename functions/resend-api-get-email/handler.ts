import { missingApiKey } from '#shared/access/api-key';
import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { toEmail } from '#shared/resend/email-view';
import { serveResendEmail } from '#shared/resend/serve-resend';
import { refuseUnsupported } from '#shared/resend/unsupported-routes';
import { readTimeline } from '#shared/sends/read-timeline';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  ...openAuthentication(table),
  timelines: openTimelineStore(table),
  organizations: openOrganizationStore(table),
};

export const handler = serveResendEmail(
  endpoint,
  reading,
  async ({ credential, pathParameters, path }, capability) => {
    if (credential === undefined) throw missingApiKey();
    // `GET /emails/metrics` comes here, too.
    refuseUnsupported(path);
    // Not `readParts`: it would tell a stranger which ids are malformed.
    const id = endpoint.path.safeParse(pathParameters).data?.id;
    const { send, events } = await readTimeline(credential, id, capability);
    return toEmail(send, capability.now(), events);
  },
);
