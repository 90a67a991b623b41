import type {
  BatchWriteItemCommandInput,
  BatchWriteItemCommandOutput,
  WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { refuse, validationError } from './refusals.ts';
import type { StoredItems } from './stored-items.ts';
import { planDelete, planPut } from './writes.ts';

const maxRequests = 25;

/** Puts and deletes without conditions. Here all are made at once, which DynamoDB does not promise. */
export function batchWriteItem(
  items: StoredItems,
  input: BatchWriteItemCommandInput,
): BatchWriteItemCommandOutput {
  const requests = Object.entries(input.RequestItems ?? {}).flatMap(([TableName, writes]) =>
    writes.map((write) => ({ TableName, ...write })),
  );
  if (requests.length === 0) refuse('BatchWriteItem cannot have no requests set');
  if (requests.length > maxRequests) refuse('Too many items requested for the BatchWriteItem call');
  const writes = requests.map((request) => planOf(items, request));
  if (new Set(writes.map(({ key }) => JSON.stringify(key))).size < writes.length) {
    refuse('Provided list of item keys contains duplicates');
  }
  for (const { key, after } of writes) items.set(key, after);
  return { $metadata: {}, UnprocessedItems: {} };
}

function planOf(
  items: StoredItems,
  { TableName, PutRequest, DeleteRequest }: WriteRequest & { readonly TableName: string },
) {
  if (!PutRequest === !DeleteRequest) refuse('A write request must contain one request');
  const plan = PutRequest
    ? planPut(items, { TableName, Item: PutRequest.Item })
    : planDelete(items, { TableName, Key: DeleteRequest?.Key });
  if (plan.kind === 'malformed') throw validationError(plan.message);
  return plan.kind === 'writes' ? plan : refuse('A batch has no conditions');
}
