import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { readTimeline } from '#shared/sends/read-timeline';
import { toSendView } from '#shared/sends/send-view';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  ...openAuthentication(table),
  timelines: openTimelineStore(table),
  organizations: openOrganizationStore(table),
};

export const handler = serveUnadmitted(endpoint, reading, async (request, capability) => {
  const { credential, pathParameters } = request;
  // Not `readParts`: it would tell a stranger which ids are malformed.
  const sendId = endpoint.path.safeParse(pathParameters).data?.id;
  const timeline = await readTimeline(credential, sendId, capability);
  const { send, messages, events, deliveries } = timeline;
  return {
    send: toSendView(send, capability.now(), events),
    messages,
    events,
    webhooks: deliveries.map(({ webhookId, type, status, attempts }) => ({
      endpointId: webhookId,
      type,
      status,
      attempts: attempts.length,
      lastStatusCode: attempts.at(-1)?.statusCode,
    })),
  };
});
