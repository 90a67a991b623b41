import { outboxEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { acceptedResponse } from '#shared/http/http-response';
import { toDeliveryView } from '#shared/webhooks/delivery-log-view';
import { createWebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { createQueueWaker } from '#shared/webhooks/sqs-delivery-queue';
import { responseSchema } from './schema.ts';
import { testWebhook } from './test-webhook.ts';

const environment = parseEnvironment(outboxEnvironment);
const dependencies = {
  ...createWebhookDependencies(environment),
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const id = pathParameters['id'] ?? '';
  const delivery = await testWebhook(presentedCredential(headers), id, dependencies);
  return acceptedResponse(responseSchema.parse(toDeliveryView(delivery)));
});
