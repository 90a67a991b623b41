import { serveUnadmitted } from '#shared/endpoints/serve';
import { openTimelineReading, readTimeline } from '#shared/sends/read-timeline';
import { toSendView } from '#shared/sends/send-view';
import { endpoint } from './endpoint.ts';

export const handler = serveUnadmitted(
  endpoint,
  openTimelineReading,
  async (request, capability) => {
    const { credential, pathParameters } = request;
    const timeline = await readTimeline(credential, pathParameters['id'], capability);
    const { send, messages, events, deliveries } = timeline;
    return {
      send: {
        ...toSendView(send, capability.now(), events),
        apiKeyId: credential === undefined ? undefined : send.apiKeyId,
      },
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
  },
);
