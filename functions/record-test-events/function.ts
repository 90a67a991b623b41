import { outboxEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/lambda';

/** Like `record-provider-event`, for emails that SES never got. No reservation, as nothing real waits for it. */
export const lambda = defineFunction({
  trigger: 'test-events',
  environment: outboxEnvironment,
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
  queriesIndexes: ['gsi1'],
  wakesWebhookQueue: true,
  timeoutSeconds: 30,
});
