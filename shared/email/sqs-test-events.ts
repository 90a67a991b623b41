import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { openQueueClient } from '#shared/aws/queue-client';
import type { PublishTestEvents } from './test-provider.ts';

/**
 * Only test emails' events: a program that tests in a loop keeps no real event waiting.
 *
 * @param queueUrl absent in functions that send no test emails.
 */
export function openTestEventQueue(queueUrl: string | undefined): PublishTestEvents {
  let client: SQSClient | undefined;
  return async (events) => {
    if (queueUrl === undefined) throw new Error('This function sends no test emails');
    client ??= openQueueClient();
    const MessageBody = JSON.stringify({ events });
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody }));
  };
}
