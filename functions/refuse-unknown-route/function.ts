import { defineFunction } from '#shared/endpoints/lambda';

/** HTTP API's `$default` route. It only says that there is no such endpoint. */
export const lambda = defineFunction({
  trigger: 'http-api',
  stack: 'Account',
  tableActions: [],
  builtFile: 'routes.json',
});
