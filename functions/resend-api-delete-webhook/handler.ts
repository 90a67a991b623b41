import { deleted } from '#shared/resend/management';
import { serveResend } from '#shared/resend/serve-resend';
import { findResendWebhook } from '#shared/resend/webhooks';
import { deleteWebhook } from '#shared/webhooks/change-webhooks';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(endpoint, openWebhookManagement, async (request, removing) => {
  const { id } = request.path;
  await findResendWebhook(id, request.caller.organizationId, removing);
  await deleteWebhook(request, removing);
  return deleted('webhook', id);
});
