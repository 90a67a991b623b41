import type {
  BatchGetItemCommandInput,
  BatchWriteItemCommandInput,
  DeleteItemCommandInput,
  GetItemCommandInput,
  PutItemCommandInput,
  QueryCommandInput,
  ServiceOutputTypes,
  TransactWriteItemsCommandInput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';

/** The operations that the memory table knows, each with what it takes, marshalled. */
type Inputs = {
  GetItem: GetItemCommandInput;
  BatchGetItem: BatchGetItemCommandInput;
  Query: QueryCommandInput;
  PutItem: PutItemCommandInput;
  UpdateItem: UpdateItemCommandInput;
  DeleteItem: DeleteItemCommandInput;
  TransactWriteItems: TransactWriteItemsCommandInput;
  BatchWriteItem: BatchWriteItemCommandInput;
};

export type Operation = keyof Inputs;

export type TableCall = {
  [Name in Operation]: { readonly operation: Name; readonly input: Inputs[Name] };
}[Operation];

/** What DynamoDB answers, marshalled. */
export type TableAnswer = ServiceOutputTypes;

const placeholders = ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const;
const write = [
  'TableName',
  'ConditionExpression',
  'ReturnValues',
  'ReturnValuesOnConditionCheckFailure',
  ...placeholders,
] as const;

/** Anything else is an error: a test would be wrong about a parameter that is ignored in silence. */
const members: { readonly [Name in Operation]: readonly (keyof Inputs[Name])[] } = {
  GetItem: [
    'TableName',
    'Key',
    'ConsistentRead',
    'ProjectionExpression',
    'ExpressionAttributeNames',
  ],
  BatchGetItem: ['RequestItems'],
  Query: [
    'TableName',
    'IndexName',
    'KeyConditionExpression',
    'FilterExpression',
    'ProjectionExpression',
    'Select',
    'ScanIndexForward',
    'Limit',
    'ExclusiveStartKey',
    'ConsistentRead',
    ...placeholders,
  ],
  PutItem: ['Item', ...write],
  UpdateItem: ['Key', 'UpdateExpression', ...write],
  DeleteItem: ['Key', ...write],
  TransactWriteItems: ['TransactItems', 'ClientRequestToken'],
  BatchWriteItem: ['RequestItems'],
};

/**
 * The call of a command.
 *
 * @param commandName As the SDK has it: `PutItemCommand`.
 * @throws Error when the memory table does not know the operation, or something that it asks for.
 */
export function callOf(commandName: string | undefined, input: object): TableCall {
  const call = { operation: commandName?.replace(/Command$/, '') ?? '', input };
  if (!isKnown(call)) throw new Error(`The memory table has no ${call.operation}`);
  const known: readonly string[] = members[call.operation];
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && !known.includes(name)) {
      throw new Error(`The memory table knows no ${name} of ${call.operation}`);
    }
  }
  return call;
}

/** The SDK sends an operation's own input with its name. */
const isKnown = (call: { operation: string; input: object }): call is TableCall =>
  Object.hasOwn(members, call.operation);
