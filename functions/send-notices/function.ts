import { noticeEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/lambda';

/** Other functions only file notices; this sends them. */
export const lambda = defineFunction({
  trigger: 'schedule',
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
  queriesIndexes: ['gsi1'],
  readsSecrets: ['tokenSigningKey'],
  sendsEmail: true,
  environment: noticeEnvironment,
  wakesWebhookQueue: true,
  timeoutSeconds: 90,
});
