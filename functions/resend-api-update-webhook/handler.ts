import { parseEnvironment, webhookUrlEnvironment } from '#shared/config/environment';
import { serveResend } from '#shared/resend/serve-resend';
import { findResendWebhook, toWebhookChanges } from '#shared/resend/webhooks';
import { openTable } from '#shared/table/table-client';
import { updateWebhook } from '#shared/webhooks/change-webhooks';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(webhookUrlEnvironment);
const management = {
  ...openWebhookManagement(openTable(environment.TABLE_NAME)),
  urlPolicy: { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
};

export const handler = serveResend(
  endpoint,
  management,
  async ({ caller, path, body }, changing) => {
    await findResendWebhook(path.id, caller.organizationId, changing);
    const changes = toWebhookChanges(body);
    if (Object.keys(changes).length > 0) {
      await updateWebhook({ caller, path, body: changes }, changing);
    }
    return { object: 'webhook' as const, id: path.id };
  },
);
