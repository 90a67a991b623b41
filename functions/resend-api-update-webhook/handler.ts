import { serveResend } from '#shared/resend/serve-resend';
import { findResendWebhook, toWebhookChanges } from '#shared/resend/webhooks';
import { openWebhookChanging, updateWebhook } from '#shared/webhooks/change-webhooks';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openWebhookChanging,
  async ({ caller, path, body }, changing) => {
    await findResendWebhook(path.id, caller.organizationId, changing);
    const changes = toWebhookChanges(body);
    if (Object.keys(changes).length > 0) {
      await updateWebhook({ caller, path, body: changes }, changing);
    }
    return { object: 'webhook' as const, id: path.id };
  },
);
