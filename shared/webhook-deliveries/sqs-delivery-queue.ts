import { capability } from '#shared/aws/capability';
import { createWaker } from '#shared/aws/queue-client';
import { outboxEnvironment } from '#shared/config/environment';
import { publishCount } from '#shared/observability/metrics';
import { openRequestLog } from '#shared/observability/request-log';
import type { DeliveryReference } from './delivery.ts';

/**
 * The queue of first attempts, and of retries that somebody asked for, which `functions/deliver-webhooks` makes; each
 * message names one delivery.
 *
 * @returns a function that never throws. A delivery whose message isn't sent waits a minute, until it's due.
 */
export const createQueueWaker = (
  queueUrl: string,
): ((deliveries: readonly DeliveryReference[]) => Promise<void>) =>
  createWaker(
    queueUrl,
    ({ id, webhookId, isRetry }) => ({
      MessageBody: JSON.stringify({ id, webhookId, isRetry } satisfies DeliveryReference),
      // A fair queue (SQS guide, "sqs-fair-queues"): an endpoint that keeps the functions busy waits behind the others.
      MessageGroupId: webhookId,
    }),
    report,
  );

/** The scheduled run finds the deliveries. */
function report(error: unknown, unsent: readonly DeliveryReference[]): void {
  const deliveryIds = unsent.map(({ id }) => id);
  openRequestLog({ deliveryIds }).error('webhook queue not woken', error);
  publishCount('WebhookQueueNotWoken', {});
}

/** Wakes the queue after a delivery is stored, or made due. */
export const wakesWebhooks = /* @__PURE__ */ capability(
  { environment: outboxEnvironment, wakesWebhookQueue: true },
  ({ WEBHOOK_QUEUE_URL }) => createQueueWaker(WEBHOOK_QUEUE_URL),
);

export type WakeQueue = ReturnType<typeof createQueueWaker>;
