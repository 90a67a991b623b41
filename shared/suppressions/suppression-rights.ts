import { liftingEnvironment, outboxEnvironment } from '#shared/config/environment';

export const createsSuppressions = {
  environment: outboxEnvironment,
  tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
  wakesWebhookQueue: true,
} as const;

export const liftsSuppressions = {
  environment: liftingEnvironment,
  tableActions: [...createsSuppressions.tableActions, 'DeleteItem'],
  suppressedDestinations: ['Delete'],
  wakesWebhookQueue: true,
} as const;
