import { parseEnvironment, workerEnvironment } from '#shared/config/environment';
import { openRequestLog } from '#shared/observability/request-log';
import { lookAfterDoubt } from '#shared/sending/later/send-waiting';
import { openDueSendStore } from '#shared/sending/later/waiting-store';
import { attend, openWaitingSending, openWorkerPace } from '#shared/sending/later/workers';
import { openTable } from '#shared/table/table-client';
import { runSendQueue } from './run-send-queue.ts';
import { eventSchema } from './schema.ts';

const environment = parseEnvironment(workerEnvironment);
const perSecond = openWorkerPace(environment);
const sending = openWaitingSending(environment, perSecond);
const queue = {
  now: sending.now,
  dueSends: openDueSendStore(openTable(environment.TABLE_NAME)),
  wakeSenders: sending.wakeSenders,
  perSecond,
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
      lookLater: (slotId) => lookAfterDoubt(slotId, sending),
      attempt: (slotId) => attend(slotId, sending, openRequestLog({ requestId })),
    },
    openRequestLog({ requestId }),
  );
};
