import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { callTimeouts } from './call-timeouts.ts';

/** Short timeouts: a caller is waiting, and every call to a queue has a fallback. */
export const openQueueClient = (): SQSClient =>
  new SQSClient({
    maxAttempts: 2,
    requestHandler: new NodeHttpHandler(callTimeouts(2_000)),
  });

const batchSize = 10;

type Message = Omit<SendMessageBatchRequestEntry, 'Id'>;

/**
 * The queue only says when to look at the table.
 *
 * @param onUnsent gets the things without a message, and why. The scheduled run finds them in the table.
 * @returns a function that never throws.
 */
export function createWaker<Thing>(
  queueUrl: string,
  messageOf: (thing: Thing) => Message,
  onUnsent: (error: unknown, unsent: readonly Thing[]) => void,
): (things: readonly Thing[]) => Promise<void> {
  let client: SQSClient | undefined;
  return async (things) => {
    if (things.length === 0) return;
    client ??= openQueueClient();
    for (let start = 0; start < things.length; start += batchSize) {
      const batch = things.slice(start, start + batchSize);
      const Entries = batch.map((thing, index) => ({ Id: `${index}`, ...messageOf(thing) }));
      try {
        const { Failed = [] } = await client.send(
          new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }),
        );
        const refused = batch.filter((_, index) => Failed.some(({ Id }) => Id === `${index}`));
        if (refused.length > 0) onUnsent(new Error('refused by SQS'), refused);
      } catch (error) {
        // A queue that doesn't answer delays the caller for one batch only.
        onUnsent(error, things.slice(start));
        return;
      }
    }
  };
}

/** The client is created on first use. */
export function openRetryQueue(queueUrl: string) {
  let client: SQSClient | undefined;
  return {
    /** For a message in flight, if it's still there (SQS guide, "Visibility timeout"). */
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
