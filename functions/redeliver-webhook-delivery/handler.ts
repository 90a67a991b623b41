import { outboxEnvironment, parseEnvironment } from '#shared/config/environment';
import { openDeliveryStore } from '#shared/deliveries/delivery-store';
import { toDeliveryView } from '#shared/deliveries/delivery-view';
import { openRedeliveryStore } from '#shared/deliveries/redelivery-store';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { acceptedResponse } from '#shared/http/http-response';
import { readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { type DeliveryReplay, redeliverWebhookDelivery } from './redeliver-webhook-delivery.ts';

const environment = parseEnvironment(outboxEnvironment);
const table = openTable(environment.TABLE_NAME);
const replay: DeliveryReplay = {
  ...openWebhookManagement(table),
  deliveries: openDeliveryStore(table),
  redeliveries: openRedeliveryStore(table),
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { id } = readPath(endpoint.path, pathParameters);
  const delivery = await redeliverWebhookDelivery(presentedCredential(headers), id, replay);
  return acceptedResponse(endpoint.answers[202].body.parse(toDeliveryView(delivery)));
});
