import { serveResend } from '#shared/resend/serve-resend';
import { findEvent } from '#shared/resend/webhook-events';
import {
  openRedelivering,
  redeliverWebhookDelivery,
} from '#shared/webhook-deliveries/redeliver-webhook-delivery';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openRedelivering,
  async ({ caller, path }, replaying) => {
    const { id } = await findEvent(path, caller.organizationId, replaying);
    const replay = await redeliverWebhookDelivery({ caller, path: { id } }, replaying);
    return { object: 'webhook_event' as const, id: replay.id };
  },
);
