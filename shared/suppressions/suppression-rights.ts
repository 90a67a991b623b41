// What endpoints may do that suppress addresses or lift suppressions.

export const createsSuppressions = {
  tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
  wakesWebhookQueue: true,
} as const;

export const liftsSuppressions = {
  tableActions: [...createsSuppressions.tableActions, 'DeleteItem'],
  suppressedDestinations: ['Delete'],
  wakesWebhookQueue: true,
} as const;
