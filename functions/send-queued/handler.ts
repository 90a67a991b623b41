import { serveQueue } from '#shared/endpoints/serve-background';
import { queuedSendSchema } from '#shared/sending/later/send-queue';
import { attend, openWaitingSending, openWorkerPace } from '#shared/sending/later/workers';
import { lambda } from './function.ts';

/** What hasn't begun ten seconds before the end stays due, and the scheduled run sends it. */
const beginningMs = (lambda.timeoutSeconds - 10) * 1_000;

/**
 * A message goes back only if the table or bucket failed. If an attempt didn't send, the table has the next one's time.
 */
export const handler = serveQueue(
  lambda,
  { message: queuedSendSchema, failure: 'queued send not attempted' },
  (_, environment) => openWaitingSending(environment, openWorkerPace(environment)),
  (sending) => {
    const until = sending.now() + beginningMs;
    return (queued, log) => attend(queued, { ...sending, until }, log);
  },
);
