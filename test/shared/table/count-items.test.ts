import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { countItems, countListed } from '#shared/table/reads';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' }));
const table = { client, name: 'table' };

it.each([
  ['a range', () => countItems(table, { pk: 'ORG#1' })],
  ['a list', () => countListed(table, 'ORG#1', 100)],
])('asks DynamoDB for the number of items of %s alone, not for the items', async (_of, count) => {
  const calls = mockClient(client);
  calls.on(QueryCommand).resolves({ Count: 7 });

  expect(await count()).toBe(7);
  expect(calls.commandCalls(QueryCommand)[0]?.args[0].input).toMatchObject({ Select: 'COUNT' });
});
