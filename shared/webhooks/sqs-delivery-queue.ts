import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Delivery } from './delivery.ts';

/** SendMessageBatch takes ten. */
const batchSize = 10;

/**
 * Opens the queue of first attempts: each message names one delivery. The client is made when it is
 * first needed, as most organizations have no endpoint.
 *
 * @returns a function that never throws: a message that was not sent costs its delivery a minute, as
 *   the row is due by then. `onFailure` is told of it.
 */
export function createQueueWaker(
  queueUrl: string,
  onFailure: (error: unknown) => void = () => {},
): (deliveries: readonly Delivery[]) => Promise<void> {
  let client: SQSClient | undefined;
  return async (deliveries) => {
    if (deliveries.length === 0) return;
    client ??= new SQSClient();
    try {
      for (let start = 0; start < deliveries.length; start += batchSize) {
        const batch = deliveries.slice(start, start + batchSize);
        await client.send(
          new SendMessageBatchCommand({
            QueueUrl: queueUrl,
            Entries: batch.map(({ id }, index) => ({ Id: `${index}`, MessageBody: id })),
          }),
        );
      }
    } catch (error) {
      onFailure(error);
    }
  };
}
