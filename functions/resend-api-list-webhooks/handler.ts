import { pageOf } from '#shared/resend/list-page';
import { serveResend } from '#shared/resend/serve-resend';
import { isInResendForm, toListedResendWebhook } from '#shared/resend/webhooks';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openWebhookManagement,
  async ({ caller, query }, { webhooks }) => {
    const all = await webhooks.list(caller.organizationId);
    return pageOf(all.filter(isInResendForm).map(toListedResendWebhook), query);
  },
);
