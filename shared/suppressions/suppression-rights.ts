export const createsSuppressions = {
  tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
} as const;

export const liftsSuppressions = {
  tableActions: [...createsSuppressions.tableActions, 'DeleteItem'],
} as const;
