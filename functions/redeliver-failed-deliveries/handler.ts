import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { openRedeliveryStore } from '#shared/deliveries/redelivery-store';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { redeliverFailedDeliveries } from './redeliver-failed-deliveries.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const redelivering = {
  ...openWebhookManagement(table),
  deliveryLogs: openDeliveryLogStore(table),
  redeliveries: openRedeliveryStore(table),
};

export const handler = serve(endpoint, redelivering, redeliverFailedDeliveries);
