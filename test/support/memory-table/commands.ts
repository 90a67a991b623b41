import {
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';

export const TableName = 'memory-table';

export const key = (sk: string) => ({ pk: 'p', sk });

export const put = (sk: string, attributes = {}) =>
  new PutCommand({ TableName, Item: { ...key(sk), ...attributes } });

/** Adds one to `n` of an item, in a transaction. */
export const count = (sk: string) => ({
  Update: {
    TableName,
    Key: key(sk),
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': 1 },
  },
});

export type TransactWriteItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export const transact = (TransactItems: TransactWriteItem[], ClientRequestToken?: string) =>
  new TransactWriteCommand({ TransactItems, ClientRequestToken });
