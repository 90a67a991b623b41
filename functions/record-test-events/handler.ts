import { serveQueue } from '#shared/endpoints/serve-background';
import { createQueueWaker } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { lambda } from './function.ts';
import { recordTestEvents, testEventsSchema } from './record-test-events.ts';

export const handler = serveQueue(
  lambda,
  { message: testEventsSchema, failure: 'test events not recorded' },
  (_table, environment) => ({
    sendRetentionDays: environment.SEND_RETENTION_DAYS,
    wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
  }),
  (recording) => (message) => recordTestEvents(message, recording),
);
