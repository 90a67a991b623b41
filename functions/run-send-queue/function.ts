import { workerEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/lambda';

/** Finds what the queue lost, or has to try again, and wakes the queue for what is due soon. */
export const lambda = defineFunction({
  trigger: 'schedule',
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
  queriesIndexes: ['gsi1'],
  readsSecrets: ['tokenSigningKey'],
  sendsEmail: true,
  sendsTestEmail: true,
  sesActions: ['GetAccount'],
  contents: { waiting: ['Get', 'Delete'], kept: ['Put'] },
  environment: workerEnvironment,
  wakesSendQueue: true,
  wakesWebhookQueue: true,
  timeoutSeconds: 90,
  memoryMegabytes: 1024,
});
