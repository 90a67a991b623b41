import { defineFunction } from '#shared/endpoints/lambda';

/** Deployed only in a stack that declares organizations. */
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
