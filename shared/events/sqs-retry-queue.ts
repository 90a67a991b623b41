import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { openQueueClient } from '#shared/aws/queue-client';

// When and how often an event is retried: `config/event-retry-plan.ts`.

/** The client is created on first use. */
export function openRetryQueue(queueUrl: string) {
  let client: SQSClient | undefined;
  return {
    /** For a message in flight, if it is still there (SQS guide, "Visibility timeout"). */
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
