import { pageOf } from '#shared/resend/list-page';
import { serveResend } from '#shared/resend/serve-resend';
import { findEvent, openWebhookEvents, toAttempts } from '#shared/resend/webhook-events';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openWebhookEvents,
  async ({ caller, path, query }, reading) =>
    pageOf(toAttempts(await findEvent(path, caller.organizationId, reading)), query),
);
