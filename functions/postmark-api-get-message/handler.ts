import { missingApiKey } from '#shared/access/api-key';
import { toMessage } from '#shared/postmark/message-view';
import { servePostmarkUnadmitted } from '#shared/postmark/serve-postmark';
import { openTimelineReading, readTimeline } from '#shared/sends/read-timeline';
import { endpoint } from './endpoint.ts';

export const handler = servePostmarkUnadmitted(
  endpoint,
  openTimelineReading,
  async ({ credential, pathParameters }, capability) => {
    if (credential === undefined) throw missingApiKey();
    const { send, events } = await readTimeline(credential, pathParameters['id'], capability);
    return toMessage(send, events, capability.now());
  },
);
