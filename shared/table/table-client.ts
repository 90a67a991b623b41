import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { makeLean } from '#shared/aws/lean-client';

export type Table = { readonly client: DynamoDBDocumentClient; readonly name: string };

/** What most operations need. `now` returns epoch milliseconds. */
export type TableAndClock = { readonly table: Table; readonly now: () => number };

/** Not yet parsed by the store it belongs to. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** A DynamoDB call that is silent for seconds is on a dead connection; the SDK's retry opens a new one. */
export function openTable(name: string): Table {
  const client = makeLean(
    new DynamoDBClient({
      maxAttempts: 4,
      requestHandler: new NodeHttpHandler({
        connectionTimeout: 1_000,
        requestTimeout: 3_000,
        throwOnRequestTimeout: true,
      }),
    }),
  );
  return {
    client: DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    }),
    name,
  };
}
