import { serve } from '#shared/endpoints/serve';
import { openDeliveryLogStore } from '#shared/webhook-deliveries/delivery-log-store';
import { toDeliveryView } from '#shared/webhook-deliveries/delivery-view';
import { openWebhookStore } from '#shared/webhooks/webhook-store';
import { endpoint } from './endpoint.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';

export const handler = serve(
  endpoint,
  { webhooks: openWebhookStore, deliveryLogs: openDeliveryLogStore },
  async (request, management) => {
    const { deliveries, nextCursor } = await listWebhookDeliveries(request, management);
    return { data: deliveries.map(toDeliveryView), nextCursor };
  },
);
