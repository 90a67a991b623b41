import { missingApiKey } from '#shared/access/api-key';
import { refuseUnsupported } from '#shared/http/unsupported-routes';
import { toEmail } from '#shared/resend/email-view';
import { serveResendEmail } from '#shared/resend/serve-resend';
import { resendApi } from '#shared/resend/unsupported-routes';
import { openTimelineReading, readTimeline } from '#shared/sends/read-timeline';
import { endpoint } from './endpoint.ts';

export const handler = serveResendEmail(
  endpoint,
  openTimelineReading,
  async ({ credential, pathParameters, path }, capability) => {
    if (credential === undefined) throw missingApiKey();
    // `GET /emails/metrics` comes here too.
    refuseUnsupported(resendApi, path);
    const { send, events } = await readTimeline(credential, pathParameters['id'], capability);
    return toEmail(send, capability.now(), events);
  },
);
