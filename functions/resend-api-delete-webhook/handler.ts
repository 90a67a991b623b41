import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { deleted } from '#shared/resend/management';
import { serveResend } from '#shared/resend/serve-resend';
import { findResendWebhook } from '#shared/resend/webhooks';
import { openTable } from '#shared/table/table-client';
import { deleteWebhook } from '#shared/webhooks/change-webhooks';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

const management = openWebhookManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serveResend(endpoint, management, async (request, removing) => {
  const { id } = request.path;
  await findResendWebhook(id, request.caller.organizationId, removing);
  await deleteWebhook(request, removing);
  return deleted('webhook', id);
});
