import { defineFunction } from '#shared/endpoints/lambda';
import { usagePartitions } from '#shared/table/keys';
import { noticePartitions } from '#shared/table/notice-keys';

/** A batch takes well below a second, so a longer run is stuck. */
export const lambda = defineFunction({
  trigger: 'table-stream',
  tableActions: ['GetItem', 'UpdateItem', 'Query', 'PutItem'],
  onlyPartitions: [usagePartitions, noticePartitions],
  notesUse: true,
  timeoutSeconds: 60,
});
