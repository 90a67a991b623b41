import { defineFunction } from '#shared/endpoints/lambda';
import { sendsWaiting } from '#shared/sending/later/workers';

/** Finds what the queue lost, or has to try again, and wakes the queue for what is due soon. */
export const lambda = defineFunction({
  ...sendsWaiting,
  trigger: 'schedule',
  queriesIndexes: ['gsi1'],
  timeoutSeconds: 90,
});
