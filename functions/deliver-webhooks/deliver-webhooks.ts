import { defineFunction } from '#shared/endpoints/background-function';
import { countOf } from '#shared/observability/metrics';
import { attemptDelivery, postsWebhooks } from '#shared/webhook-deliveries/attempt-delivery';
import { deliveryReferenceSchema, leaseMs } from '#shared/webhook-deliveries/delivery';
import { createSharedReads } from '#shared/webhooks/webhook-store';

/**
 * Makes first attempts, and retries that somebody asked for, as soon as SQS brings their deliveries.
 * `retry-due-webhooks` makes those that fall due later.
 *
 * A message goes back only if its outcome wasn't stored. After a failed attempt, the table has the next one's time.
 */
export const backgroundFunction = defineFunction(
  {
    trigger: 'webhook-queue',
    message: deliveryReferenceSchema,
    failure: 'webhook attempt not recorded',
    uses: { posting: postsWebhooks },
    lambda: {
      tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
      reservation: 'webhooks',
      /**
       * A batch makes its attempts side by side; one takes up to 15 s and some calls to the table. No longer than an
       * attempt's lease: after that, the delivery's next attempt could start while this one still runs.
       */
      timeoutSeconds: leaseMs / 1_000,
      /**
       * It waits for receivers nearly all of its time, and Lambda charges for megabytes times milliseconds. 64 MB after
       * start.
       */
      memoryMegabytes: 256,
    },
  },
  (service) => {
    // The attempts of a batch start together, so one read of a webhook serves them all.
    const reads = createSharedReads(service.table, Infinity, service.now);
    return async (delivery, log) => {
      const occasion = delivery.isRetry ? 'asked' : 'first';
      const result = await attemptDelivery(delivery, occasion, { ...service, reads });
      const counted = countOf('WebhookAttempted', { result });
      log.info('webhook attempted', { deliveryId: delivery.id }, [counted]);
    };
  },
);
