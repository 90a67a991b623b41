import { serveResend } from '#shared/resend/serve-resend';
import { toNewWebhook } from '#shared/resend/webhooks';
import { createWebhook, openWebhookChanging } from '#shared/webhooks/change-webhooks';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openWebhookChanging,
  async ({ caller, body }, creating) => {
    const { id, secret } = await createWebhook({ caller, body: toNewWebhook(body) }, creating);
    return { object: 'webhook' as const, id, signing_secret: secret };
  },
);
