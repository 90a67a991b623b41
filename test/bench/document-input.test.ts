import { expect, it } from 'vitest';
import { toDocumentInput } from './document-input.ts';

it('turns items, keys and values of a transaction into plain values', () => {
  const body = {
    TransactItems: [
      { Put: { TableName: 't', Item: { pk: { S: 'a' }, cc: { L: [{ S: 'b' }] } } } },
      {
        Update: {
          Key: { pk: { S: 'a' } },
          UpdateExpression: 'SET n = :n',
          ExpressionAttributeNames: { '#n': 'n' },
          ExpressionAttributeValues: { ':n': { N: '1' } },
        },
      },
    ],
    ClientRequestToken: 'token',
  };

  expect(toDocumentInput(body)).toEqual({
    TransactItems: [
      { Put: { TableName: 't', Item: { pk: 'a', cc: ['b'] } } },
      {
        Update: {
          Key: { pk: 'a' },
          UpdateExpression: 'SET n = :n',
          ExpressionAttributeNames: { '#n': 'n' },
          ExpressionAttributeValues: { ':n': 1 },
        },
      },
    ],
    ClientRequestToken: 'token',
  });
});

it('turns the keys of a batch into plain values', () => {
  const body = { RequestItems: { t: { Keys: [{ pk: { S: 'a' } }], ConsistentRead: true } } };

  expect(toDocumentInput(body)).toEqual({
    RequestItems: { t: { Keys: [{ pk: 'a' }], ConsistentRead: true } },
  });
});
