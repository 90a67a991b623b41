import { parseEnvironment, providerEventEnvironment } from '#shared/config/environment';
import { openEventReceiving } from './event-receiving.ts';
import { receiveNotification } from './receive-notification.ts';
import { retryQueuedEvents } from './retry-queued-events.ts';
import { type BatchResponse, invocationSchema } from './schema.ts';

const receiving = openEventReceiving(parseEnvironment(providerEventEnvironment));

/**
 * Takes SES's events from the topic, and from the retry queue those that failed before. It throws when an
 * event of the topic could not be recorded: Lambda then puts it into the retry queue.
 */
export async function handler(event: unknown): Promise<BatchResponse | undefined> {
  const invocation = invocationSchema.parse(event);
  if (invocation.from === 'topic') {
    for (const notification of invocation.notifications) {
      await receiveNotification(notification, receiving);
    }
    return undefined;
  }
  const failed = await retryQueuedEvents(invocation.messages, receiving);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
