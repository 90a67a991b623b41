import { providerEventEnvironment } from '#shared/config/environment';
import { recordingTimeoutSeconds } from '#shared/config/event-retry-plan';
import { defineFunction } from '#shared/endpoints/lambda';

/** It makes a handful of calls, so a run that takes longer is stuck. */
export const lambda = defineFunction({
  trigger: 'provider-events',
  environment: providerEventEnvironment,
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
  queriesIndexes: ['gsi1', 'gsi2'],
  wakesWebhookQueue: true,
  reservation: 'events',
  timeoutSeconds: recordingTimeoutSeconds,
});
