import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { toDeliveryView } from '#shared/deliveries/delivery-view';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const management = {
  ...openWebhookManagement(table),
  deliveryLogs: openDeliveryLogStore(table),
};

export const handler = serve(endpoint, management, async (request) => {
  const { deliveries, nextCursor } = await listWebhookDeliveries(request, management);
  return { data: deliveries.map(toDeliveryView), nextCursor };
});
