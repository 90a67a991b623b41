import { expect, it } from 'vitest';
import { jsonTemplate, toDocumentInput } from './recorded-calls.ts';

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

it('replaces every variable wherever it stands', () => {
  const render = jsonTemplate<unknown>('{"pk":"SEND#abc","sk":"KEY#x.y","id":"abc"}', [
    'abc',
    'x.y',
  ]);

  expect(render(['new', 'other'])).toEqual({ pk: 'SEND#new', sk: 'KEY#other', id: 'new' });
});

it('takes a variable for its own characters, not for a pattern', () => {
  const render = jsonTemplate<unknown>('{"a":"x.y","b":"xzy"}', ['x.y']);

  expect(render(['new'])).toEqual({ a: 'new', b: 'xzy' });
});
