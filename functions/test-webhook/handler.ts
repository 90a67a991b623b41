import { outboxEnvironment, parseEnvironment } from '#shared/config/environment';
import { openDeliveryStore } from '#shared/deliveries/delivery-store';
import { toDeliveryView } from '#shared/deliveries/delivery-view';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { acceptedResponse } from '#shared/http/http-response';
import { readPath } from '#shared/http/parse-request';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { testWebhook, type WebhookTest } from './test-webhook.ts';

const environment = parseEnvironment(outboxEnvironment);
const table = openTable(environment.TABLE_NAME);
const test: WebhookTest = {
  ...openWebhookManagement(table),
  organizations: openOrganizationStore(table),
  deliveries: openDeliveryStore(table),
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { id } = readPath(endpoint.path, pathParameters);
  const delivery = await testWebhook(presentedCredential(headers), id, test);
  return acceptedResponse(endpoint.answers[202].body.parse(toDeliveryView(delivery)));
});
