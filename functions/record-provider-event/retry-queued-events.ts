import { retryDelaySeconds } from '#shared/config/event-retry-plan';
import { openRequestLog } from '#shared/observability/request-log';
import type { EventReceiving } from './event-receiving.ts';
import { receiveNotification } from './receive-notification.ts';
import { type QueuedMessage, queuedBodySchema } from './schema.ts';

/**
 * Tries the events of the retry queue once more, side by side. Recording is idempotent, so a message whose
 * event was recorded by a process that died before it could say so does no harm.
 *
 * A message that fails is postponed first and then reported. A process that dies in between leaves it
 * postponed. One that dies earlier leaves it to the queue's own timeout, which is the longest delay.
 *
 * @returns the ids of the messages that failed.
 */
export async function retryQueuedEvents(
  messages: readonly QueuedMessage[],
  receiving: EventReceiving,
): Promise<string[]> {
  const failures = await Promise.all(
    messages.map(async (message) => {
      const isRecorded = await retry(message, receiving);
      return isRecorded ? [] : [message.messageId];
    }),
  );
  return failures.flat();
}

async function retry(
  { messageId, receiptHandle, body, attributes }: QueuedMessage,
  receiving: EventReceiving,
): Promise<boolean> {
  const log = openRequestLog({ requestId: messageId });
  const receiveCount = attributes.ApproximateReceiveCount;
  try {
    for (const notification of queuedBodySchema.parse(JSON.parse(body))) {
      await receiveNotification(notification, receiving);
    }
    return true;
  } catch (error) {
    log.error('queued event not recorded', error, { receiveCount });
  }
  try {
    await receiving.retries.postpone(receiptHandle, retryDelaySeconds(receiveCount));
  } catch (error) {
    log.error('queued event not postponed', error);
  }
  return false;
}
