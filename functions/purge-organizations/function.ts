import { bucketEnvironment } from '#shared/config/environment';
import { defineFunction } from '#shared/endpoints/lambda';

export const lambda = defineFunction({
  trigger: 'schedule',
  environment: bucketEnvironment,
  tableActions: ['GetItem', 'PutItem', 'DeleteItem', 'Scan'],
  queriesIndexes: ['gsi2'],
  contents: { waiting: ['Delete', 'List'], kept: ['Delete', 'List'] },
  timeoutSeconds: 600,
});
