import { countOf, durationOf, type Metric, publishDuration } from '#shared/observability/metrics';
import { openRequestLog, type RequestLog } from '#shared/observability/request-log';
import type { RecordOutcome } from '#shared/sends/record-provider-event';
import type { EventReceiving } from './event-receiving.ts';
import { recordOrMark } from './record-or-mark.ts';
import type { Notification } from './schema.ts';

/**
 * Also wakes the webhook queue; if that fails, the next scheduled run finds the rows due. An event that couldn't be
 * recorded has marked its send.
 *
 * @param hasFailedBefore whether it comes from the retry queue.
 * @throws Error when the event could not be recorded. It says nothing of the event: Lambda logs it, and a parser's
 *   message quotes addresses.
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
  const lag: Metric[] = [];
  const onLag = (milliseconds: number) => {
    // An event that failed before may end its process again: publish the measurement first.
    if (hasFailedBefore) publishDuration('ProviderEventLag', milliseconds);
    else lag.push(durationOf('ProviderEventLag', milliseconds));
  };
  try {
    observe(await record(event, hasFailedBefore, { ...receiving, onLag }, log), lag, log);
  } catch (error) {
    log.error('provider event not recorded', error, {}, lag);
    throw new Error('provider event not recorded');
  }
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

const harmsReputation: ReadonlySet<string> = new Set(['bounced', 'complained']);

type Recorded = {
  readonly outcome: RecordOutcome;
  /** The send's timeline has it as well, and CloudWatch bills by the byte. */
  readonly isRoutine: boolean;
};

async function record(
  event: object,
  hasFailedBefore: boolean,
  { intake, wakeQueue, onLag }: EventReceiving & { readonly onLag: (milliseconds: number) => void },
  log: RequestLog,
): Promise<Recorded> {
  let isRoutine = false;
  const outcome = await recordOrMark(event, hasFailedBefore, intake, {
    // Before recording: while the table fails, every try shows how late the event is by now.
    onFact: (fact) => {
      if (fact.kind === 'accepted') onLag(intake.now() - fact.at);
      if (fact.kind !== 'happened') return;
      isRoutine = fact.type === 'delivered';
      // Rare, and the operator looks for them when the account's rates rise.
      if (harmsReputation.has(fact.type)) log.bind({ event: fact.type });
    },
    onUnmarked: (error) =>
      log.error('send of an unrecorded event not marked', error, {}, [
        countOf('ProviderEventNotMarked'),
      ]),
  });
  await wakeQueue(outcome.deliveries);
  return { outcome, isRoutine };
}

function observe({ outcome, isRoutine }: Recorded, lag: readonly Metric[], log: RequestLog): void {
  if (outcome.kind === 'ignored') {
    const ignored = countOf('ProviderEventIgnored', { reason: outcome.reason });
    log.info('provider event ignored', {}, [...lag, ignored]);
  } else {
    const { feedbackId } = outcome.send;
    log[isRoutine ? 'debug' : 'info']('provider event recorded', { feedbackId }, lag);
  }
}
