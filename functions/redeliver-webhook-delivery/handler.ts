import { outboxEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { acceptedResponse } from '#shared/http/http-response';
import { toDeliveryView } from '#shared/webhooks/delivery-log-view';
import { createWebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { createQueueWaker } from '#shared/webhooks/sqs-delivery-queue';
import { redeliverWebhookDelivery } from './redeliver-webhook-delivery.ts';
import { responseSchema } from './schema.ts';

const environment = parseEnvironment(outboxEnvironment);
const dependencies = {
  ...createWebhookDependencies(environment),
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const id = pathParameters['id'] ?? '';
  const delivery = await redeliverWebhookDelivery(presentedCredential(headers), id, dependencies);
  return acceptedResponse(responseSchema.parse(toDeliveryView(delivery)));
});
