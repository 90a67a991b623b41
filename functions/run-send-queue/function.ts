import { defineFunction } from '#shared/endpoints/lambda';
import { sendsWaiting } from '#shared/sending/later/workers';

/** Finds sends that the queue lost or that are to be retried, and wakes the queue for those due soon. */
export const lambda = defineFunction({
  ...sendsWaiting,
  trigger: 'schedule',
  queriesIndexes: ['gsi1'],
  timeoutSeconds: 90,
});
