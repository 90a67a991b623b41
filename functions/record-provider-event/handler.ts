import { type BatchResponse, serveEvent } from '#shared/endpoints/serve-background';
import { lambda } from './function.ts';
import { openEventReceiving, receiveNotification } from './receive-notification.ts';
import { retryQueuedEvents } from './retry-queued-events.ts';
import { invocationSchema } from './schema.ts';

/**
 * Receives SES's events from the topic, and those that failed before from the retry queue. If it throws on the topic's
 * event, Lambda puts that into the retry queue.
 */
export const handler = serveEvent(
  lambda,
  invocationSchema,
  openEventReceiving,
  async (invocation, receiving): Promise<BatchResponse | undefined> => {
    if (invocation.from === 'queue') {
      const failed = await retryQueuedEvents(invocation.messages, receiving);
      return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
    }
    for (const notification of invocation.notifications) {
      await receiveNotification(notification, receiving);
    }
    return undefined;
  },
);
