import { defineFunction } from '#shared/endpoints/lambda';

export const lambda = defineFunction({
  trigger: 'custom-resource',
  tableActions: [
    'GetItem',
    'BatchGetItem',
    'Query',
    'ConditionCheckItem',
    'PutItem',
    'UpdateItem',
    'DeleteItem',
  ],
});
