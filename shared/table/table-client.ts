import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { callTimeouts } from '#shared/aws/call-timeouts';
import { makeLean } from '#shared/aws/lean-client';

export type Table = { readonly client: DynamoDBDocumentClient; readonly name: string };

/** What most operations need. `now` returns epoch milliseconds. */
export type TableAndClock = { readonly table: Table; readonly now: () => number };

/** Not yet parsed by the store it belongs to. */
export type StoredItem = Readonly<Record<string, unknown>>;

export function openTable(name: string): Table {
  const client = makeLean(
    new DynamoDBClient({
      maxAttempts: 4,
      requestHandler: new NodeHttpHandler(callTimeouts(3_000)),
    }),
  );
  return {
    client: DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    }),
    name,
  };
}
