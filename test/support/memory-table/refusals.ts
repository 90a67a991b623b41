import {
  type AttributeValue,
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  IdempotentParameterMismatchException,
  ResourceNotFoundException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';

/** As `item-values.ts` has it. */
type Item = Readonly<Record<string, AttributeValue>>;

const $metadata = { httpStatusCode: 400 };

/** What DynamoDB answers to a request that it does not accept. The SDK has no class of its own for it. */
export const validationError = (message: string): DynamoDBServiceException =>
  new DynamoDBServiceException({
    name: 'ValidationException',
    $fault: 'client',
    message,
    $metadata,
  });

/** @throws DynamoDBServiceException always. */
export function refuse(message: string): never {
  throw validationError(message);
}

export const noSuchTable = (): ResourceNotFoundException =>
  new ResourceNotFoundException({
    message: 'Cannot do operations on a non-existent table',
    $metadata,
  });

export const conditionFailedMessage = 'The conditional request failed';

/** @param item The item as it stands, when the request asked for it. */
export const conditionFailed = (item: Item | undefined): ConditionalCheckFailedException =>
  new ConditionalCheckFailedException({
    message: conditionFailedMessage,
    $metadata,
    ...(item && { Item: { ...item } }),
  });

export function transactionCanceled(
  reasons: readonly CancellationReason[],
): TransactionCanceledException {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new TransactionCanceledException({
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    $metadata,
    CancellationReasons: [...reasons],
  });
}

export const tokenOfAnotherTransaction = (): IdempotentParameterMismatchException =>
  new IdempotentParameterMismatchException({
    message: 'The client request token was used with another transaction',
    $metadata,
  });
