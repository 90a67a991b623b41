import {
  DynamoDBServiceException,
  ProvisionedThroughputExceededException,
} from '@aws-sdk/client-dynamodb';

/** What the SDK throws when the connection broke or nobody answered, and its retries are used up. */
export const lostError = (): Error =>
  Object.assign(new Error('no answer'), { name: 'TimeoutError' });

/** What it throws when the table throttles for longer than it retries. */
export const throttlingError = (): Error =>
  new ProvisionedThroughputExceededException({ message: 'throttled', $metadata: {} });

/** Whether it is an answer of DynamoDB. Any other table error is a fault of the test itself. */
export const isTableAnswer = (error: unknown): boolean => error instanceof DynamoDBServiceException;
