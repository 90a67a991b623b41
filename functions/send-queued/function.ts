import { workerEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/lambda';

/** Sends what waits for its moment, as soon as the queue says so. */
export const lambda = defineFunction({
  trigger: 'send-queue',
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
  readsSecrets: ['tokenSigningKey'],
  sendsEmail: true,
  sendsTestEmail: true,
  sesActions: ['GetAccount'],
  contents: { waiting: ['Get', 'Delete'], kept: ['Put'] },
  environment: workerEnvironment,
  wakesSendQueue: true,
  wakesWebhookQueue: true,
  /** A batch waits for its turns, and a call to SES may take 8 s. */
  timeoutSeconds: 60,
  // Attachments are in memory several times: content, decoded, request to SES.
  memoryMegabytes: 1024,
});
