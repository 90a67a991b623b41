import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { openRedeliveryStore } from '#shared/deliveries/redelivery-store';
import { serve } from '#shared/endpoints/serve';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { redeliverFailedDeliveries } from './redeliver-failed-deliveries.ts';

export const handler = serve(
  endpoint,
  (table) => ({
    ...openWebhookManagement(table),
    deliveryLogs: openDeliveryLogStore(table),
    redeliveries: openRedeliveryStore(table),
  }),
  redeliverFailedDeliveries,
);
