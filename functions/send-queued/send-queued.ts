import { defineFunction } from '#shared/endpoints/background-function';
import { queuedSendSchema } from '#shared/sending/later/send-queue';
import { attend, openWaitingSending, sendsWaiting } from '#shared/sending/later/workers';

/** A batch waits for its turns, and a call to SES may take 8 s. */
const timeoutSeconds = 60;

/** What hasn't begun ten seconds before the end stays due, and the scheduled run sends it. */
const beginningMs = (timeoutSeconds - 10) * 1_000;

/**
 * A message goes back only if the table or bucket failed. If an attempt didn't send, the table has the next one's time.
 */
export const backgroundFunction = defineFunction(
  {
    trigger: 'send-queue',
    message: queuedSendSchema,
    failure: 'queued send not attempted',
    uses: openWaitingSending,
    lambda: { ...sendsWaiting, timeoutSeconds },
  },
  (sending) => {
    const until = sending.now() + beginningMs;
    return (queued, log) => attend(queued, { ...sending, until }, log);
  },
);
