import { defineFunction } from '#shared/endpoints/lambda';

export const lambda = defineFunction({
  trigger: 'http-api',
  stack: 'Account',
  tableActions: [],
  builtFile: 'routes.json',
});
