import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { openQueueClient } from '#shared/aws/queue-client';
import { justBeforeEachTry, refuseAfter } from './call-deadline.ts';
import type { PublishTestEvents } from './test-provider.ts';

/**
 * Separate from real events, so a program that tests in a loop doesn't delay them.
 *
 * @param queueUrl absent in functions that send no test emails.
 */
export function openTestEventQueue(
  queueUrl: string | undefined,
  now: () => number = Date.now,
): PublishTestEvents {
  let client: SQSClient | undefined;
  return async (events, beginsBefore) => {
    if (queueUrl === undefined) throw new Error('This function sends no test emails');
    client ??= openQueueClient();
    const MessageBody = JSON.stringify({ events });
    const command = new SendMessageCommand({ QueueUrl: queueUrl, MessageBody });
    command.middlewareStack.add(refuseAfter(beginsBefore, now), justBeforeEachTry);
    await client.send(command);
  };
}
