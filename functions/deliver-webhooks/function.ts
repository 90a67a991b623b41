import { defineFunction } from '#shared/endpoints/lambda';
import { postsWebhooks } from '#shared/webhook-deliveries/attempt-delivery';

export const lambda = defineFunction({
  trigger: 'webhook-queue',
  tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  ...postsWebhooks.role,
  reservation: 'webhooks',
  /**
   * A batch makes its attempts side by side; one takes up to 15 s and some calls to the table. No longer than an
   * attempt's lease (30 s): after that, the delivery's next attempt could start while this one still runs.
   */
  timeoutSeconds: 30,
  /** It waits for receivers nearly all of its time, and Lambda charges for megabytes times milliseconds. 64 MB after start. */
  memoryMegabytes: 256,
});
