import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { toDeliveryView } from '#shared/deliveries/delivery-view';
import { serve } from '#shared/endpoints/serve';
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
