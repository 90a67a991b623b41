import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openDeliveryStore } from '#shared/webhook-deliveries/delivery-store';
import { toDeliveryView } from '#shared/webhook-deliveries/delivery-view';
import { createQueueWaker } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { openWebhookStore } from '#shared/webhooks/webhook-store';
import { endpoint } from './endpoint.ts';
import { testWebhook } from './test-webhook.ts';

export const handler = serve(
  endpoint,
  (table, environment) => ({
    webhooks: openWebhookStore(table),
    organizations: openOrganizationStore(table),
    deliveries: openDeliveryStore(table),
    dayQuotas: openDayQuotaStore(table),
    wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
    sendRetentionDays: environment.SEND_RETENTION_DAYS,
  }),
  async (request, testing) => toDeliveryView(await testWebhook(request, testing)),
);
