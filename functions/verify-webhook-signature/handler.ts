import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { verifyWebhookSignature } from './verify-webhook-signature.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const verification = {
  ...openWebhookManagement(table),
  deliveryLogs: openDeliveryLogStore(table),
};

export const handler = serve(endpoint, verification, verifyWebhookSignature);
