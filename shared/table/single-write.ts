import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backOff } from '#shared/timing/backoff';
import type { StoredItem } from './table-client.ts';

/** `undefined` if there is no item. */
type ConditionalOutcome =
  | { readonly written: true }
  | { readonly written: false; readonly standing: StoredItem | undefined };

/**
 * Waits for a transaction that holds the item. With `ReturnValuesOnConditionCheckFailure: 'ALL_OLD'`, a failed condition
 * returns the item that made it fail.
 */
export async function writeIf(write: () => Promise<unknown>): Promise<ConditionalOutcome> {
  try {
    await retryConflicts(write);
    return { written: true };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const { Item: item } = error;
    return { written: false, standing: item === undefined ? undefined : unmarshall(item) };
  }
}

/** DynamoDB rejects the request itself, so repeating it is pointless. */
export const isRefusedForGood = (error: unknown): boolean =>
  error instanceof DynamoDBServiceException && error.name === 'ValidationException';

const maxAttempts = 8;

/**
 * For a conflict with a transaction on the item: DynamoDB refuses the write, and the SDK doesn't retry that (DynamoDB
 * developer guide, "Transaction conflict handling").
 */
export async function retryConflicts<Output>(write: () => Promise<Output>): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || attempt === maxAttempts) throw error;
      await backOff(attempt, 20, 400);
    }
  }
}
