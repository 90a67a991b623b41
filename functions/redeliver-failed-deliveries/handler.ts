import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { serve } from '#shared/endpoints/serve';
import { openDeliveryLogStore } from '#shared/webhook-deliveries/delivery-log-store';
import { openRedeliveryStore } from '#shared/webhook-deliveries/redelivery-store';
import { openWebhookStore } from '#shared/webhooks/webhook-store';
import { endpoint } from './endpoint.ts';
import { redeliverFailedDeliveries } from './redeliver-failed-deliveries.ts';

export const handler = serve(
  endpoint,
  (table, environment) => ({
    webhooks: openWebhookStore(table),
    deliveryLogs: openDeliveryLogStore(table),
    redeliveries: openRedeliveryStore(table),
    dayQuotas: openDayQuotaStore(table),
    maxAttempts: environment.WEBHOOK_MAX_ATTEMPTS,
  }),
  redeliverFailedDeliveries,
);
