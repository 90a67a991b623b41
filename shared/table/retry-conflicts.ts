import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { backOff } from '#shared/timing/backoff';

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
