import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { StoredItem } from './table-client.ts';

/** How a conditional write ended: written, or what stands there instead (`undefined`: no item). */
export type ConditionalOutcome =
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
