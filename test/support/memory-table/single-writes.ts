import type {
  DeleteItemCommandInput,
  DeleteItemCommandOutput,
  PutItemCommandInput,
  PutItemCommandOutput,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { valueAt } from './documents.ts';
import type { Item } from './item-values.ts';
import type { DocumentPath } from './placeholders.ts';
import { conditionFailed, refuse, validationError } from './refusals.ts';
import type { StoredItems } from './stored-items.ts';
import { planDelete, planPut, planUpdate, type WritePlan } from './writes.ts';

/** PutItem, UpdateItem and DeleteItem. */

export function putItem(items: StoredItems, input: PutItemCommandInput): PutItemCommandOutput {
  requireOneOf(['NONE', 'ALL_OLD'], input.ReturnValues);
  return commit(items, planPut(items, input), input.ReturnValues);
}

export function deleteItem(
  items: StoredItems,
  input: DeleteItemCommandInput,
): DeleteItemCommandOutput {
  requireOneOf(['NONE', 'ALL_OLD'], input.ReturnValues);
  return commit(items, planDelete(items, input), input.ReturnValues);
}

export function updateItem(
  items: StoredItems,
  input: UpdateItemCommandInput,
): UpdateItemCommandOutput {
  requireOneOf(['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'], input.ReturnValues);
  return commit(items, planUpdate(items, input), input.ReturnValues);
}

function requireOneOf(allowed: readonly string[], returnValues: string | undefined): void {
  if (returnValues !== undefined && !allowed.includes(returnValues)) {
    refuse('Return values set to invalid value');
  }
}

function commit(items: StoredItems, plan: WritePlan, returnValues: string | undefined) {
  if (plan.kind === 'condition failed') throw conditionFailed(plan.item);
  if (plan.kind === 'malformed') throw validationError(plan.message);
  items.set(plan.key, plan.after);
  const { before, after, paths } = plan;
  switch (returnValues) {
    case 'ALL_OLD':
      return answer(before);
    case 'ALL_NEW':
      return answer(after);
    case 'UPDATED_OLD':
      return answer(before && touched(before, paths));
    case 'UPDATED_NEW':
      return answer(after && touched(after, paths));
    default:
      return answer(undefined);
  }
}

const answer = (attributes: Item | undefined) => ({
  $metadata: {},
  ...(attributes && Object.keys(attributes).length > 0 && { Attributes: { ...attributes } }),
});

/** The attributes that an update touched: whole, as DynamoDB Local answers them. */
function touched(item: Item, paths: readonly DocumentPath[]): Item {
  const names = new Set(
    paths.filter((path) => valueAt(item, path) !== undefined).map(([name]) => name),
  );
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
}
