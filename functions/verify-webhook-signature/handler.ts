import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { serve } from '#shared/endpoints/serve';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { verifyWebhookSignature } from './verify-webhook-signature.ts';

export const handler = serve(
  endpoint,
  (table) => ({
    ...openWebhookManagement(table),
    deliveryLogs: openDeliveryLogStore(table),
  }),
  verifyWebhookSignature,
);
