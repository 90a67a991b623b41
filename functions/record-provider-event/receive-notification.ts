import type * as z from 'zod/mini';
import { openRetryQueue } from '#shared/aws/queue-client';
import type { providerEventEnvironment } from '#shared/config/environment';
import { countOf } from '#shared/observability/metrics';
import { openRequestLog } from '#shared/observability/request-log';
import type { EventRecording } from '#shared/send-history/record-event';
import type { Table } from '#shared/table/table-client';
import { createQueueWaker } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { recordOrMark } from './record-or-mark.ts';
import type { Notification } from './schema.ts';

export const openEventReceiving = (
  _table: Table,
  environment: z.output<typeof providerEventEnvironment>,
) => ({
  /** Notifications from any other topic are rejected. */
  topicArn: environment.PROVIDER_EVENTS_TOPIC_ARN,
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
  retries: openRetryQueue(environment.PROVIDER_EVENT_RETRY_QUEUE_URL),
});
export type EventReceiving = EventRecording & ReturnType<typeof openEventReceiving>;

/**
 * Also wakes the webhook queue; if that fails, the next scheduled run finds the deliveries due. An event that couldn't
 * be recorded has marked its send.
 *
 * @param hasFailedBefore whether it comes from the retry queue.
 * @throws Error when the event couldn't be recorded. The message has nothing of the event: Lambda logs it, and a
 *   parser's message would quote addresses.
 */
export async function receiveNotification(
  notification: Notification,
  receiving: EventReceiving,
  hasFailedBefore = false,
): Promise<void> {
  const log = openRequestLog({ requestId: notification.MessageId });
  if (notification.TopicArn !== receiving.topicArn) {
    const ignored = countOf('ProviderEventIgnored', { reason: 'foreign topic' });
    return log.warn('notification of a foreign topic ignored', {}, [ignored]);
  }
  const event = parseObject(notification.Message);
  if (event === undefined) {
    const ignored = countOf('ProviderEventIgnored', { reason: 'not an event' });
    return log.warn('notification without an event ignored', {}, [ignored]);
  }
  const { deliveries } = await recordOrMark(event, hasFailedBefore, receiving, log).catch(() => {
    throw new Error('provider event not recorded');
  });
  await receiving.wakeQueue(deliveries);
}

/**
 * SES announces itself to a topic in plain text: "Successfully validated SNS topic for Amazon SES event publishing."
 * Every event is a JSON object; anything else isn't one.
 */
function parseObject(message: string): object | undefined {
  try {
    const value: unknown = JSON.parse(message);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? value : undefined;
  } catch {
    return undefined;
  }
}
