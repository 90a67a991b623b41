import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { openRedeliveryStore } from '#shared/deliveries/redelivery-store';
import { serve } from '#shared/endpoints/serve';
import { openWebhookStore } from '#shared/webhooks/webhook-store';
import { endpoint } from './endpoint.ts';
import { redeliverFailedDeliveries } from './redeliver-failed-deliveries.ts';

export const handler = serve(
  endpoint,
  {
    webhooks: openWebhookStore,
    deliveryLogs: openDeliveryLogStore,
    redeliveries: openRedeliveryStore,
  },
  redeliverFailedDeliveries,
);
