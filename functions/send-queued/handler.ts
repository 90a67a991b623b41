import { serveQueue } from '#shared/endpoints/serve-background';
import { queuedSendSchema } from '#shared/sending/later/send-queue';
import { attend, openWaitingSending, openWorkerPace } from '#shared/sending/later/workers';
import { lambda } from './function.ts';

/**
 * A message goes back only if the table or bucket failed. If an attempt didn't send, the table has the next one's time.
 */
export const handler = serveQueue(
  lambda,
  { message: queuedSendSchema, failure: 'queued send not attempted' },
  (table, environment) => openWaitingSending(table, environment, openWorkerPace(environment)),
  (sending) =>
    ({ slotId }, log) =>
      attend(slotId, sending, log),
);
