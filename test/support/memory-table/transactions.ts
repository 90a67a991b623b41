import type {
  CancellationReason,
  TransactWriteItem,
  TransactWriteItemsCommandInput,
  TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { keyOf, wholeKey } from './item-keys.ts';
import {
  conditionFailedMessage,
  refuse,
  tokenOfAnotherTransaction,
  transactionCanceled,
} from './refusals.ts';
import type { StoredItems } from './stored-items.ts';
import { planCheck, planDelete, planPut, planUpdate, type WritePlan } from './writes.ts';

/** The transactions that were made under each client request token. DynamoDB forgets after ten minutes. */
export type MadeTransactions = Map<string, string>;

const maxItems = 100;

/** Writes all or nothing. */
export function transactWriteItems(
  items: StoredItems,
  made: MadeTransactions,
  input: TransactWriteItemsCommandInput,
): TransactWriteItemsCommandOutput {
  const writes = input.TransactItems ?? [];
  if (writes.length === 0) refuse('A transaction needs one item at least');
  if (writes.length > maxItems) refuse(`Member must have length less than or equal to ${maxItems}`);
  const { ClientRequestToken: token = '' } = input;
  const request = token === '' ? '' : JSON.stringify(writes);
  const repeated = made.get(token);
  if (repeated !== undefined && repeated !== request) throw tokenOfAnotherTransaction();
  if (repeated !== undefined) return { $metadata: {} };

  requireDistinctItems(writes);
  const plans = writes.map((write) => planOf(items, write));
  const steps = plans.filter((plan) => plan.kind === 'writes');
  if (steps.length < plans.length) throw transactionCanceled(plans.map(reasonOf));
  for (const { key, before, after } of steps) if (after !== before) items.set(key, after);
  if (token !== '') made.set(token, request);
  return { $metadata: {} };
}

function requireDistinctItems(writes: readonly TransactWriteItem[]): void {
  const keys = writes.map(keyTextOf);
  if (new Set(keys).size < keys.length) {
    refuse('Transaction request cannot include multiple operations on one item');
  }
}

function keyTextOf({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): string {
  const key = keyOf(Put?.Item ?? wholeKey((Update ?? Delete ?? ConditionCheck)?.Key));
  return JSON.stringify([key?.pk, key?.sk]);
}

function planOf(
  items: StoredItems,
  { Put, Update, Delete, ConditionCheck }: TransactWriteItem,
): WritePlan {
  const writes = [Put, Update, Delete, ConditionCheck].filter((write) => write !== undefined);
  if (writes.length > 1)
    refuse('TransactItems can only contain one of Check, Put, Update or Delete');
  if (Put) return planPut(items, Put);
  if (Update) return planUpdate(items, Update);
  if (Delete) return planDelete(items, Delete);
  return ConditionCheck ? planCheck(items, ConditionCheck) : refuse('Nothing to do with an item');
}

function reasonOf(plan: WritePlan): CancellationReason {
  switch (plan.kind) {
    case 'writes':
      return { Code: 'None' };
    case 'malformed':
      return { Code: 'ValidationError', Message: plan.message };
    case 'condition failed':
      return {
        Code: 'ConditionalCheckFailed',
        Message: conditionFailedMessage,
        ...(plan.item && { Item: { ...plan.item } }),
      };
  }
}
