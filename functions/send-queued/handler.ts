import { parseEnvironment, workerEnvironment } from '#shared/config/environment';
import { openRequestLog } from '#shared/observability/request-log';
import { attend, openWaitingSending, openWorkerPace } from '#shared/sending/later/workers';
import { type BatchResponse, sqsEventSchema } from './schema.ts';
import { sendQueued } from './send-queued.ts';

const environment = parseEnvironment(workerEnvironment);
const sending = openWaitingSending(environment, openWorkerPace(environment));

export async function handler(
  event: unknown,
  context: { readonly awsRequestId: string },
): Promise<BatchResponse> {
  const { awsRequestId: requestId } = context;
  const { Records } = sqsEventSchema.parse(event);
  const failed = await sendQueued(
    Records,
    (slotId) => attend(slotId, sending, openRequestLog({ requestId })),
    (messageId, error) =>
      openRequestLog({ requestId }).error('queued send not attempted', error, { messageId }),
  );
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
