import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backOff } from '#shared/timing/backoff';
import type { Key } from './keys.ts';
import type { StoredItem, Table } from './table-client.ts';

/** `undefined` if there is no item. */
type ConditionalOutcome =
  | { readonly written: true }
  | { readonly written: false; readonly existing: StoredItem | undefined };

/**
 * Waits for a transaction that holds the item. With `ReturnValuesOnConditionCheckFailure: 'ALL_OLD'`, a failed
 * condition returns the item that made it fail.
 */
export async function writeIf(write: () => Promise<unknown>): Promise<ConditionalOutcome> {
  try {
    await retryConflicts(write);
    return { written: true };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const { Item: item } = error;
    return { written: false, existing: item === undefined ? undefined : unmarshall(item) };
  }
}

/** DynamoDB rejects the request itself, so repeating it is pointless. */
export const isRefusedForGood = (error: unknown): boolean =>
  error instanceof DynamoDBServiceException && error.name === 'ValidationException';

const maxConflicts = 8;

/**
 * For a conflict with a transaction on the item: DynamoDB refuses the write, and the SDK doesn't retry that (DynamoDB
 * developer guide, "Transaction conflict handling").
 */
export async function retryConflicts<Output>(write: () => Promise<Output>): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || attempt === maxConflicts) throw error;
      await backOff(attempt, 20, 400);
    }
  }
}

type WriteOfTable = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Leaves the table's name to `transactWrite`. */
export type TransactionItem = {
  readonly [Kind in keyof WriteOfTable]: Omit<NonNullable<WriteOfTable[Kind]>, 'TableName'>;
};

const inTable = (
  TableName: string,
  { Put, Update, Delete, ConditionCheck }: TransactionItem,
): WriteOfTable => ({
  ...(Put && { Put: { TableName, ...Put } }),
  ...(Update && { Update: { TableName, ...Update } }),
  ...(Delete && { Delete: { TableName, ...Delete } }),
  ...(ConditionCheck && { ConditionCheck: { TableName, ...ConditionCheck } }),
});

type TransactionOutcome = { readonly committed: true } | FailedTransaction;

type FailedTransaction = {
  readonly committed: false;
  /** One for each item of the transaction: whether its condition failed, and on what. */
  readonly conditions: readonly FailedCondition[];
};

type FailedCondition = {
  readonly failed: boolean;
  /** The existing item, if the write asked for it with `ALL_OLD`. */
  readonly item: StoredItem | undefined;
};

/** A condition on an item that the transaction doesn't write. */
export type ItemCondition = {
  readonly Key: Key;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
};

export const requireItem = (key: Key): TransactionItem => ({
  ConditionCheck: { Key: key, ConditionExpression: 'attribute_exists(pk)' },
});

const maxAttempts = 10;
const transientReasons = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/**
 * Retries conflicts with other transactions and throttled items; the caller judges failed conditions.
 *
 * The client request token makes the call idempotent for ten minutes: after a lost answer, the SDK's retry reports
 * success (DynamoDB API reference, TransactWriteItems, "Idempotency").
 */
export async function transactWrite(
  table: Table,
  items: readonly TransactionItem[],
): Promise<TransactionOutcome> {
  const ClientRequestToken = randomUUID();
  const TransactItems = items.map((item) => inTable(table.name, item));
  for (let attempt = 1; ; attempt += 1) {
    try {
      await table.client.send(new TransactWriteCommand({ ClientRequestToken, TransactItems }));
      return { committed: true };
    } catch (error) {
      const reasons =
        error instanceof TransactionCanceledException ? error.CancellationReasons : [];
      const conditions = (reasons ?? []).map((reason) => ({
        failed: reason.Code === 'ConditionalCheckFailed',
        item: reason.Item === undefined ? undefined : unmarshall(reason.Item),
      }));
      if (conditions.some((condition) => condition.failed)) return { committed: false, conditions };

      const isTransient = (reasons ?? []).some((reason) => transientReasons.has(reason.Code ?? ''));
      if (!isTransient || attempt === maxAttempts) throw error;
      await backOff(attempt, 20, 500);
    }
  }
}

/** For callers that only need to know whether what they read still holds. */
export async function storeIfUnchanged(
  table: Table,
  items: readonly TransactionItem[],
): Promise<'stored' | 'changed_meanwhile'> {
  const outcome = await transactWrite(table, items);
  return outcome.committed ? 'stored' : 'changed_meanwhile';
}
