import { noticeEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/lambda';

/** What causes a notice only files it; this sends it. */
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
