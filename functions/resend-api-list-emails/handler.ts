import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serveResend } from '#shared/resend/serve-resend';
import { openNewerSendsStore, openSendListStore } from '#shared/sends/send-list-store';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listEmails } from './list-emails.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const listing = {
  ...openAuthentication(table),
  sends: openSendListStore(table),
  newerSends: openNewerSendsStore(table),
  timelines: openTimelineStore(table),
};

export const handler = serveResend(endpoint, listing, listEmails);
