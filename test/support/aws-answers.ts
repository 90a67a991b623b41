import { randomUUID } from 'node:crypto';

/** An HTTP answer as an AWS service gives it. */
export type AwsAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type DynamodbErrorName =
  | 'ProvisionedThroughputExceededException'
  | 'RequestLimitExceeded'
  | 'ThrottlingException'
  | 'TransactionConflictException'
  | 'TransactionInProgressException'
  | 'ConditionalCheckFailedException'
  | 'ResourceNotFoundException'
  | 'InternalServerError';

/** An error of DynamoDB (its JSON 1.0 protocol tells the type in the body). */
export function dynamodbError(name: DynamodbErrorName, message: string = name): AwsAnswer {
  const isServerFault = name === 'InternalServerError';
  return dynamodbAnswer(isServerFault ? 500 : 400, {
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message,
  });
}

/** A transaction cancelled for these reasons, one per item, for example `['None', 'TransactionConflict']`. */
export function transactionCanceled(reasonCodes: readonly string[]): AwsAnswer {
  return dynamodbAnswer(400, {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasonCodes.join(', ')}]`,
    CancellationReasons: reasonCodes.map((Code) => ({ Code })),
  });
}

/** Every key of a BatchGetItem left unprocessed, as under throttling: a success without items. */
export function allKeysUnprocessed(request: unknown): AwsAnswer {
  const isBatchGet = typeof request === 'object' && request !== null && 'RequestItems' in request;
  if (!isBatchGet) throw new Error('Not a BatchGetItem request');
  return dynamodbAnswer(200, { Responses: {}, UnprocessedKeys: request.RequestItems });
}

const dynamodbAnswer = (status: number, body: object): AwsAnswer => ({
  status,
  headers: {
    'content-type': 'application/x-amz-json-1.0',
    'x-amzn-requestid': randomUUID(),
  },
  body: JSON.stringify(body),
});

/** The status of each error in the SESv2 API reference, SendEmail. */
const sesErrorStatus = {
  TooManyRequestsException: 429,
  LimitExceededException: 400,
  MessageRejected: 400,
  MailFromDomainNotVerifiedException: 400,
  AccountSuspendedException: 400,
  SendingPausedException: 400,
  BadRequestException: 400,
  NotFoundException: 404,
  InternalServiceErrorException: 500,
} as const;

/** An error of SESv2 (its REST protocol tells the type in a header). */
export const sesError = (name: keyof typeof sesErrorStatus, message: string = name): AwsAnswer => ({
  status: sesErrorStatus[name],
  headers: {
    'content-type': 'application/json',
    'x-amzn-errortype': name,
    'x-amzn-requestid': randomUUID(),
  },
  body: JSON.stringify({ message }),
});

/** That there is no such queue, as SQS says it (its JSON 1.0 protocol tells the type in the body). */
export const queueDoesNotExist = (): AwsAnswer => ({
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() },
  body: JSON.stringify({ __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'No such queue' }),
});
