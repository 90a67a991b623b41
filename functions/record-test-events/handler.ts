import * as z from 'zod/mini';
import { outboxEnvironment, parseEnvironment } from '#shared/config/environment';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { openRequestLog } from '#shared/observability/request-log';
import { openEventRecording } from '#shared/sends/event-recording';
import { openTable } from '#shared/table/table-client';
import { recordTestEvents } from './record-test-events.ts';

const environment = parseEnvironment(outboxEnvironment);
const recording = {
  intake: openEventRecording(openTable(environment.TABLE_NAME), environment.SEND_RETENTION_DAYS),
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
};

/** The event of an invocation by SQS (Lambda developer guide, "SQS"). */
const invocationSchema = z.object({
  Records: z.array(z.object({ messageId: z.string(), body: z.string() })),
});

/** The messages that stay in the queue (the same guide, "Partial batch responses"). */
export async function handler(event: unknown) {
  const { Records } = invocationSchema.parse(event);
  const failed = await Promise.all(
    Records.map(async ({ messageId, body }) => {
      try {
        await recordTestEvents(body, recording);
        return [];
      } catch (error) {
        openRequestLog({ requestId: messageId }).error('test events not recorded', error);
        return [{ itemIdentifier: messageId }];
      }
    }),
  );
  return { batchItemFailures: failed.flat() };
}
