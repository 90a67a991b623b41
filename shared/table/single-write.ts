import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backOff } from '#shared/timing/backoff';
import type { StoredItem } from './table-client.ts';

/** How a conditional write ended: written, or what stands there instead (`undefined`: no item). */
type ConditionalOutcome =
  | { readonly written: true }
  | { readonly written: false; readonly standing: StoredItem | undefined };

/**
 * Makes a single conditional write. Where it asks for `ReturnValuesOnConditionCheckFailure: 'ALL_OLD'`,
 * a failed condition brings the item that made it fail.
 */
export async function writeIf(write: () => Promise<unknown>): Promise<ConditionalOutcome> {
  try {
    await write();
    return { written: true };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const { Item: item } = error;
    return { written: false, standing: item === undefined ? undefined : unmarshall(item) };
  }
}

/** Whether DynamoDB refuses a request for what it asks: it would refuse it again, however often it comes. */
export const isRefusedForGood = (error: unknown): boolean =>
  error instanceof DynamoDBServiceException && error.name === 'ValidationException';

const maxAttempts = 8;

/**
 * Repeats a single write that met a transaction on the same item. DynamoDB refuses it then, and the SDK
 * does not count that among what it retries (DynamoDB developer guide, "Transaction conflict handling").
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
