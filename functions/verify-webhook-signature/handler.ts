import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { serve } from '#shared/endpoints/serve';
import { openWebhookStore } from '#shared/webhooks/webhook-store';
import { endpoint } from './endpoint.ts';
import { verifyWebhookSignature } from './verify-webhook-signature.ts';

export const handler = serve(
  endpoint,
  { webhooks: openWebhookStore, deliveryLogs: openDeliveryLogStore },
  verifyWebhookSignature,
);
