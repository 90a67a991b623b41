import { openAuditStore } from '#shared/audit/audit-store';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { openSending } from '#shared/sending/sending';
import { answerSend } from '#shared/sending/serve-send';
import { linkSentAgain, openSentAgainStore } from '#shared/sends/sent-again-store';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openContentStore } from '#shared/stored-content/content-store';
import { endpoint } from './endpoint.ts';
import { readResend } from './resend-send.ts';

export const handler = serveUnadmitted(
  endpoint,
  (table, environment) => ({
    ...openSending(table, environment),
    timelines: openTimelineStore(table),
    contents: openContentStore(environment),
    audit: openAuditStore(table),
    links: openSentAgainStore(table),
  }),
  async (unadmitted, { links, ...capability }) => {
    const request = await readResend(unadmitted, capability);
    const answer = await answerSend('send', request, unadmitted, capability);
    if (request.ok) await linkSentAgain(request.value, answer.body.sendId, links, unadmitted.log);
    return answer;
  },
);
