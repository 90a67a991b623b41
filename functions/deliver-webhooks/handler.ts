import { serveQueue } from '#shared/endpoints/serve-background';
import { countOf } from '#shared/observability/metrics';
import { attemptDelivery, postsWebhooks } from '#shared/webhook-deliveries/attempt-delivery';
import { deliveryReferenceSchema } from '#shared/webhook-deliveries/delivery';
import { createSharedReads } from '#shared/webhooks/webhook-store';
import { lambda } from './function.ts';

/** A message goes back only if its outcome wasn't stored. After a failed attempt, the table has the next one's time. */
export const handler = serveQueue(
  lambda,
  { message: deliveryReferenceSchema, failure: 'webhook attempt not recorded' },
  { posting: postsWebhooks },
  (service) => {
    // The attempts of a batch start together, so one read of a webhook serves them all.
    const reads = createSharedReads(service.table, Infinity, service.now);
    return async (delivery, log) => {
      const result = await attemptDelivery(delivery, 'first', { ...service, reads });
      const counted = countOf('WebhookAttempted', { result });
      log.info('webhook attempted', { deliveryId: delivery.id }, [counted]);
    };
  },
);
