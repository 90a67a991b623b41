import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { openQueueClient } from '#shared/aws/queue-client';

// When, and how often, an event is tried again: `config/event-retry-plan.ts`.

/** Opens the queue of events that could not be recorded. The client is created when it is first needed. */
export function openRetryQueue(queueUrl: string) {
  let client: SQSClient | undefined;
  return {
    /**
     * Sets when a message that is being worked on is received again (SQS guide, "Visibility timeout"). It
     * has an effect only if the message is then reported as failed.
     */
    postpone: async (receiptHandle: string, seconds: number): Promise<void> => {
      client ??= openQueueClient();
      await client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: queueUrl,
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: seconds,
        }),
      );
    },
  };
}
export type RetryQueue = ReturnType<typeof openRetryQueue>;

const count = z.coerce.number().check(z.int());
/** Messages that may be received, that are worked on or postponed, and that are not to be received yet. */
const countsSchema = z.object({
  ApproximateNumberOfMessages: count,
  ApproximateNumberOfMessagesNotVisible: count,
  ApproximateNumberOfMessagesDelayed: count,
});

/**
 * Opens a look at the retry queue, which tells whether the intake of events is late. An event leaves the
 * queue after it was recorded. So if none is left, what stood there is in the table.
 *
 * The counts are up to a minute behind (SQS API reference, "GetQueueAttributes").
 *
 * @returns a function that never throws: when the queue does not answer, the intake counts as late.
 */
export function createIntakeCheck(queueUrl: string): () => Promise<boolean> {
  let client: SQSClient | undefined;
  return async () => {
    client ??= openQueueClient();
    const command = new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    });
    try {
      const { Attributes } = await client.send(command);
      return Object.values(countsSchema.parse(Attributes)).some((messages) => messages > 0);
    } catch {
      return true;
    }
  };
}
