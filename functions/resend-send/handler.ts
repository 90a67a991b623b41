import { openAuditStore } from '#shared/audit/audit-store';
import { parseEnvironment, sendingEnvironment } from '#shared/config/environment';
import { openContentStore } from '#shared/content/content-store';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { answerSend } from '#shared/sending/send-endpoint';
import { openSending } from '#shared/sending/sending';
import { linkResend, openResendLinkStore } from '#shared/sends/resend-link-store';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { readResend } from './resend-send.ts';

const environment = parseEnvironment(sendingEnvironment);
const table = openTable(environment.TABLE_NAME);
const resending = {
  ...openSending(environment),
  timelines: openTimelineStore(table),
  contents: openContentStore(environment),
  audit: openAuditStore(table),
};
const links = openResendLinkStore(table);

export const handler = serveUnadmitted(endpoint, resending, async (unadmitted, capability) => {
  const request = await readResend(unadmitted, capability);
  const answer = await answerSend('send', request, unadmitted, capability);
  if (request.ok) await linkResend(request.value, answer.body.sendId, links, unadmitted.log);
  return answer;
});
