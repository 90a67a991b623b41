import { serveResend } from '#shared/resend/serve-resend';
import { findEvent, openWebhookEvents, toWebhookEvent } from '#shared/resend/webhook-events';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(endpoint, openWebhookEvents, async ({ caller, path }, reading) =>
  toWebhookEvent(await findEvent(path, caller.organizationId, reading)),
);
