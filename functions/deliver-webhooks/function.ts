import { deliveryEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/lambda';

export const lambda = defineFunction({
  trigger: 'webhook-queue',
  tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  environment: deliveryEnvironment,
  deliversWebhooks: true,
  reservation: 'webhooks',
  /**
   * An attempt takes up to 15 s and some calls to the table, and a batch makes its attempts side by side. No longer
   * than an attempt's lease (30 s), or the next attempt would meet this one at the same delivery.
   */
  timeoutSeconds: 30,
});
