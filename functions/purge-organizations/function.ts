import { defineFunction } from '#shared/endpoints/lambda';
import { purgesContents } from './purge-organizations.ts';

export const lambda = defineFunction({
  trigger: 'schedule',
  ...purgesContents.role,
  tableActions: ['GetItem', 'PutItem', 'DeleteItem', 'Scan'],
  queriesIndexes: ['gsi2'],
  timeoutSeconds: 600,
});
