import { missingApiKey } from '#shared/access/api-key';
import { limitChanges } from '#shared/access/limit-day';
import { hasScope } from '#shared/access/scopes';
import { openAuditStore } from '#shared/audit/audit-store';
import { refuseUnsupported } from '#shared/http/unsupported-routes';
import { toEmail } from '#shared/resend/email-view';
import { serveResendEmail } from '#shared/resend/serve-resend';
import { resendApi } from '#shared/resend/unsupported-routes';
import { openTimelineReading, readTimeline } from '#shared/sends/read-timeline';
import { contentRead, findContent, shownBodiesOf } from '#shared/sends/send-content';
import { openContentStore } from '#shared/stored-content/content-store';
import { endpoint } from './endpoint.ts';

export const handler = serveResendEmail(
  endpoint,
  (table, environment) => ({
    ...openTimelineReading(table),
    contents: openContentStore(environment),
    audit: openAuditStore(table),
  }),
  async ({ credential, pathParameters, path }, capability) => {
    if (credential === undefined) throw missingApiKey();
    // `GET /emails/metrics` comes here too.
    refuseUnsupported(resendApi, path);
    const { send, events, reader } = await readTimeline(
      credential,
      pathParameters['id'],
      capability,
    );
    const now = capability.now();
    if (reader === undefined || !hasScope(reader.apiKey.scopes, 'read_content')) {
      return toEmail(send, now, events);
    }
    const content = await findContent(send, now, capability.contents);
    if (content === undefined) return toEmail(send, now, events);

    // Reading a content is a change that the audit keeps, as with `GET /api/v1/sends/{id}/content`.
    await limitChanges(reader, capability);
    await capability.audit.append(contentRead(reader, send.id, now));
    return toEmail(send, now, events, await shownBodiesOf(content));
  },
);
