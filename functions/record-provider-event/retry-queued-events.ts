import { retryDelaySeconds, workSeconds } from '#shared/config/event-retry-plan';
import { openRequestLog } from '#shared/observability/request-log';
import { type EventReceiving, receiveNotification } from './receive-notification.ts';
import { type QueuedMessage, queuedBodySchema } from './schema.ts';

/**
 * Retries all messages side by side. Recording is idempotent, so repeating an event that a dead process had recorded
 * does no harm.
 *
 * Each message is first postponed until this process must have ended, so a process that dies costs little more than its
 * own time. A failed message is postponed again, usually to a sooner time, and reported.
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
  const postpone = async (seconds: number): Promise<void> => {
    try {
      await receiving.retries.postpone(receiptHandle, seconds);
    } catch (error) {
      log.error('queued event not postponed', error);
    }
  };
  await postpone(workSeconds(receiveCount));
  try {
    for (const notification of queuedBodySchema.parse(JSON.parse(body))) {
      await receiveNotification(notification, receiving, true);
    }
    return true;
  } catch (error) {
    log.error('queued event not recorded', error, { receiveCount });
  }
  if (retryDelaySeconds(receiveCount) < workSeconds(receiveCount)) {
    await postpone(retryDelaySeconds(receiveCount));
  }
  return false;
}
