import { defineFunction } from '#shared/endpoints/lambda';

export const lambda = defineFunction({
  trigger: 'event-rule',
  tableActions: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
  tenantActions: ['GetTenant', 'GetReputationEntity'],
  timeoutSeconds: 30,
});
