import { defineFunction } from '#shared/endpoints/lambda';
import { sendsWaiting } from '#shared/sending/later/workers';

export const lambda = defineFunction({
  ...sendsWaiting,
  trigger: 'send-queue',
  /** A batch waits for its turns, and a call to SES may take 8 s. */
  timeoutSeconds: 60,
});
