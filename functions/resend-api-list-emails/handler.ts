import { serveResend } from '#shared/resend/serve-resend';
import { openNewerSendsStore, openSendListStore } from '#shared/sends/send-list-store';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { endpoint } from './endpoint.ts';
import { listEmails } from './list-emails.ts';

export const handler = serveResend(
  endpoint,
  { sends: openSendListStore, newerSends: openNewerSendsStore, timelines: openTimelineStore },
  listEmails,
);
