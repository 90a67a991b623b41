import { parseEnvironment, workerEnvironment } from '#shared/config/environment';
import { openRequestLog } from '#shared/observability/request-log';
import { createSenderWaker } from '#shared/sending/later/send-queue';
import { openDueSendStore } from '#shared/sending/later/waiting-store';
import { attend, openWaitingSending } from '#shared/sending/later/workers';
import { openTable } from '#shared/table/table-client';
import { runSendQueue } from './run-send-queue.ts';
import { eventSchema } from './schema.ts';

const environment = parseEnvironment(workerEnvironment);
const sending = openWaitingSending(environment);
const queue = {
  now: sending.now,
  dueSends: openDueSendStore(openTable(environment.TABLE_NAME)),
  wakeSenders: createSenderWaker(environment.SEND_QUEUE_URL),
  perSecond: environment.SENDS_PER_SECOND_OF_PROCESS,
};

/** EventBridge Scheduler invokes the function directly, and IAM authorizes it. */
export const handler = async (
  event: unknown,
  { awsRequestId: requestId }: { readonly awsRequestId: string },
): Promise<void> => {
  eventSchema.parse(event);
  await runSendQueue(
    {
      ...queue,
      attempt: (slotId) => attend(slotId, sending, openRequestLog({ requestId })),
    },
    openRequestLog({ requestId }),
  );
};
