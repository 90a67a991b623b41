import { defineFunction } from '#shared/endpoints/lambda';
import { noticePartitions, usagePartitions } from '#shared/table/keys';

/** A batch takes well below a second, so a longer run is stuck. */
export const lambda = defineFunction({
  trigger: 'table-stream',
  tableActions: ['GetItem', 'UpdateItem', 'Query', 'PutItem'],
  onlyPartitions: [usagePartitions, noticePartitions],
  notesUse: true,
  timeoutSeconds: 60,
});
