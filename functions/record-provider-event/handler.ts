import { parseEnvironment, providerEventEnvironment } from '#shared/config/environment';
import { readSesEvent } from '#shared/events/ses-event';
import { publishCount } from '#shared/observability/metrics';
import { openRequestLog, type RequestLog } from '#shared/observability/request-log';
import { openTable } from '#shared/table/table-client';
import { createQueueWaker } from '#shared/webhooks/sqs-delivery-queue';
import { openProviderEventIntake } from './provider-event-intake.ts';
import { recordProviderEvent } from './record-provider-event.ts';
import { snsEventSchema } from './schema.ts';

const environment = parseEnvironment(providerEventEnvironment);
const table = openTable(environment.TABLE_NAME);
const wakeQueue = createQueueWaker(environment.WEBHOOK_QUEUE_URL);

const intake = openProviderEventIntake(table);

/** Throws when anything could not be recorded: Lambda then retries, and at last dead-letters the event. */
export async function handler(event: unknown): Promise<void> {
  for (const { Sns: notification } of snsEventSchema.parse(event).Records) {
    const log = openRequestLog({ requestId: notification.MessageId });
    if (notification.TopicArn !== environment.PROVIDER_EVENTS_TOPIC_ARN) {
      log.warn('notification of a foreign topic ignored');
      publishCount('ProviderEventIgnored', { reason: 'foreign topic' });
      continue;
    }
    await record(notification.Message, log);
  }
}

async function record(message: string, log: RequestLog): Promise<void> {
  try {
    const outcome = await recordProviderEvent(readSesEvent(JSON.parse(message)), intake);
    if (outcome.kind === 'recorded') {
      await wakeQueue(outcome.deliveries);
      log.info('provider event recorded', { feedbackId: outcome.send.feedbackId });
      publishCount('ProviderEventRecorded', {});
    } else {
      log.info('provider event ignored', { reason: outcome.reason });
      publishCount('ProviderEventIgnored', { reason: outcome.reason });
    }
  } catch (error) {
    log.error('provider event not recorded', error);
    // Lambda logs what is thrown, and a parser's message quotes the event, addresses and all.
    throw new Error('provider event not recorded');
  }
}
