import { serveQueue } from '#shared/endpoints/serve-background';
import { countOf } from '#shared/observability/metrics';
import { attemptDelivery, openDelivering } from '#shared/webhook-deliveries/attempt-delivery';
import { deliveryReferenceSchema } from '#shared/webhook-deliveries/delivery';
import { withSharedReads } from '#shared/webhooks/webhook-store';
import { lambda } from './function.ts';

/** A message goes back only if its outcome wasn't stored. After a failed attempt, the table has the next one's time. */
export const handler = serveQueue(
  lambda,
  { message: deliveryReferenceSchema, failure: 'webhook attempt not recorded' },
  openDelivering,
  (delivering) => {
    // The attempts of a batch start together, so one read of a webhook serves them all.
    const webhooks = withSharedReads(delivering.webhooks, Infinity, delivering.now);
    return async (delivery, log) => {
      const result = await attemptDelivery(delivery, 'first', { ...delivering, webhooks });
      const counted = countOf('WebhookAttempted', { result });
      log.info('webhook attempted', { deliveryId: delivery.id }, [counted]);
    };
  },
);
