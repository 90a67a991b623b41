import type * as z from 'zod/mini';
import type { providerEventEnvironment } from '#shared/config/environment';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { openRetryQueue } from '#shared/events/sqs-retry-queue';
import { openEventRecording } from '#shared/sends/record-provider-event';
import type { Table } from '#shared/table/table-client';

export const openEventReceiving = (
  table: Table,
  environment: z.output<typeof providerEventEnvironment>,
) => ({
  /** No other topic's notifications are believed. */
  topicArn: environment.PROVIDER_EVENTS_TOPIC_ARN,
  intake: openEventRecording(table, environment.SEND_RETENTION_DAYS),
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
  retries: openRetryQueue(environment.PROVIDER_EVENT_RETRY_QUEUE_URL),
});
export type EventReceiving = ReturnType<typeof openEventReceiving>;
