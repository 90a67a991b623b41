import { serve } from '#shared/endpoints/serve';
import { openDeliveryLogStore } from '#shared/webhook-deliveries/delivery-log-store';
import { openWebhookStore } from '#shared/webhooks/webhook-store';
import { endpoint } from './endpoint.ts';
import { verifyWebhookSignature } from './verify-webhook-signature.ts';

export const handler = serve(
  endpoint,
  { webhooks: openWebhookStore, deliveryLogs: openDeliveryLogStore },
  verifyWebhookSignature,
);
