import { publishCount, publishDuration } from '#shared/observability/metrics';
import { openRequestLog, type RequestLog } from '#shared/observability/request-log';
import type { EventReceiving } from './event-receiving.ts';
import { recordOrMark } from './record-or-mark.ts';
import type { Notification } from './schema.ts';

/**
 * Records the event that a notification brings, and wakes the webhook queue for it. When the queue cannot
 * be woken, the next scheduled run finds the rows due. An event that could not be recorded has marked its send.
 *
 * @param hasFailedBefore whether it comes from the retry queue.
 * @throws Error when the event could not be recorded. It says nothing of the event: Lambda logs what is
 *   thrown, and a parser's message quotes the event, addresses and all.
 */
export async function receiveNotification(
  notification: Notification,
  receiving: EventReceiving,
  hasFailedBefore = false,
): Promise<void> {
  const log = openRequestLog({ requestId: notification.MessageId });
  if (notification.TopicArn !== receiving.topicArn) {
    log.warn('notification of a foreign topic ignored');
    return publishCount('ProviderEventIgnored', { reason: 'foreign topic' });
  }
  const event = parseObject(notification.Message);
  if (event === undefined) {
    log.warn('notification without an event ignored');
    return publishCount('ProviderEventIgnored', { reason: 'not an event' });
  }
  try {
    await record(event, hasFailedBefore, receiving, log);
  } catch (error) {
    log.error('provider event not recorded', error);
    throw new Error('provider event not recorded');
  }
}

/**
 * SES announces itself to a topic in plain text: "Successfully validated SNS topic for Amazon SES event
 * publishing." Every event is a JSON object, so nothing else is one.
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

async function record(
  event: object,
  hasFailedBefore: boolean,
  { intake, wakeQueue }: EventReceiving,
  log: RequestLog,
): Promise<void> {
  const outcome = await recordOrMark(event, hasFailedBefore, intake, {
    // Before it is recorded: while the table fails, every try tells how late the event is by now.
    onFact: (fact) => {
      if (fact.kind === 'accepted') publishDuration('ProviderEventLag', intake.now() - fact.at);
    },
    onUnmarked: (error) => {
      log.error('send of an unrecorded event not marked', error);
      publishCount('ProviderEventNotMarked', {});
    },
  });
  await wakeQueue(outcome.deliveries);
  if (outcome.kind === 'ignored') {
    log.info('provider event ignored', { reason: outcome.reason });
    return publishCount('ProviderEventIgnored', { reason: outcome.reason });
  }
  log.info('provider event recorded', { feedbackId: outcome.send.feedbackId });
  publishCount('ProviderEventRecorded', {});
}
