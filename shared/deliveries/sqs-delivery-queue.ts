import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { openQueueClient } from '#shared/aws/queue-client';
import { publishCount } from '#shared/observability/metrics';
import { openRequestLog } from '#shared/observability/request-log';
import type { DeliveryReference } from './delivery.ts';

/** SendMessageBatch takes no more. */
const batchSize = 10;

/**
 * Opens the queue of first attempts; each message names one delivery. The client is created on first use,
 * because most organizations have no webhook.
 *
 * @returns a function that never throws. A message that wasn't sent is logged and counted, and delays its
 *   delivery by a minute, when the row is due.
 */
export function createQueueWaker(
  queueUrl: string,
): (deliveries: readonly DeliveryReference[]) => Promise<void> {
  let client: SQSClient | undefined;
  return async (deliveries) => {
    if (deliveries.length === 0) return;
    client ??= openQueueClient();
    for (let start = 0; start < deliveries.length; start += batchSize) {
      const batch = deliveries.slice(start, start + batchSize);
      try {
        const { Failed = [] } = await client.send(messagesOf(batch, queueUrl));
        const refused = batch.filter((_, index) => Failed.some(({ Id }) => Id === `${index}`));
        if (refused.length > 0) report(new Error('refused by SQS'), refused);
      } catch (error) {
        // A queue that doesn't answer holds the caller for one batch only.
        report(error, deliveries.slice(start));
        return;
      }
    }
  };
}

const messagesOf = (batch: readonly DeliveryReference[], queueUrl: string) =>
  new SendMessageBatchCommand({
    QueueUrl: queueUrl,
    Entries: batch.map(({ id, webhookId }, index) => ({
      Id: `${index}`,
      MessageBody: JSON.stringify({ id, webhookId } satisfies DeliveryReference),
      // A fair queue (SQS guide, "sqs-fair-queues"): an endpoint that keeps the functions busy waits behind
      // the others.
      MessageGroupId: webhookId,
    })),
  });

/** The schedule finds the rows. */
function report(error: unknown, unsent: readonly DeliveryReference[]): void {
  const deliveryIds = unsent.map(({ id }) => id);
  openRequestLog({ deliveryIds }).error('webhook queue not woken', error);
  publishCount('WebhookQueueNotWoken', {});
}

export type WakeQueue = ReturnType<typeof createQueueWaker>;
