import { outboxEnvironment, parseEnvironment } from '#shared/config/environment';
import { openDeliveryStore } from '#shared/deliveries/delivery-store';
import { toDeliveryView } from '#shared/deliveries/delivery-view';
import { openRedeliveryStore } from '#shared/deliveries/redelivery-store';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { redeliverWebhookDelivery } from './redeliver-webhook-delivery.ts';

const environment = parseEnvironment(outboxEnvironment);
const table = openTable(environment.TABLE_NAME);
const redelivering = {
  ...openWebhookManagement(table),
  deliveries: openDeliveryStore(table),
  redeliveries: openRedeliveryStore(table),
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
};

export const handler = serve(endpoint, redelivering, async (request) =>
  toDeliveryView(await redeliverWebhookDelivery(request, redelivering)),
);
