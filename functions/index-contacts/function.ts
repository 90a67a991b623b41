import { defineFunction } from '#shared/endpoints/lambda';
import { contactPartitions } from '#shared/table/keys';

export const lambda = defineFunction({
  trigger: 'table-stream',
  tableActions: ['UpdateItem'],
  onlyPartitions: [contactPartitions],
  timeoutSeconds: 60,
});
