import { resendList } from '#shared/resend/list-page';
import { serveResend } from '#shared/resend/serve-resend';
import { openWebhookEvents, positionAfter, toListedEvent } from '#shared/resend/webhook-events';
import { findResendWebhook } from '#shared/resend/webhooks';
import { readDeliveryLog } from '#shared/webhook-deliveries/delivery-log-store';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openWebhookEvents,
  async ({ caller, path, query }, reading) => {
    const webhook = await findResendWebhook(path.id, caller.organizationId, reading);
    const { limit = 20, after } = query;
    const before = after === undefined ? undefined : await positionAfter(after, webhook, reading);
    const { deliveries, next } = await readDeliveryLog(
      { webhookId: webhook.id, before, limit },
      reading,
    );
    return resendList(deliveries.map(toListedEvent), next !== undefined);
  },
);
