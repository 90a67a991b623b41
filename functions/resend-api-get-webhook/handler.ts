import { serveResend } from '#shared/resend/serve-resend';
import { findResendWebhook, toResendWebhook } from '#shared/resend/webhooks';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openWebhookManagement,
  async ({ caller, path }, reading) =>
    toResendWebhook(await findResendWebhook(path.id, caller.organizationId, reading)),
);
