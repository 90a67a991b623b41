import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  type Projection,
  ResourceInUseException,
  ResourceNotFoundException,
  type TimeToLiveSpecification,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { tableAttributes, tableIndexes } from '#shared/table/table-attributes';

export type TableProperties = Omit<CreateTableCommandInput, 'TableName'> & {
  readonly TimeToLiveSpecification?: TimeToLiveSpecification;
};

/** As deployed by CDK: `test/infra/service-table.test.ts` compares them. */
export const serviceTable = {
  KeySchema: keySchemaOf(tableAttributes),
  AttributeDefinitions: [tableAttributes, ...Object.values(tableIndexes)]
    .flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey])
    .map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  GlobalSecondaryIndexes: Object.values(tableIndexes).map(({ name, projected, ...keys }) => ({
    IndexName: name,
    KeySchema: keySchemaOf(keys),
    Projection: projectionOf(projected),
  })),
  BillingMode: 'PAY_PER_REQUEST',
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  TimeToLiveSpecification: { AttributeName: tableAttributes.timeToLive, Enabled: true },
} as const satisfies TableProperties;

type Keys = { readonly partitionKey: string; readonly sortKey: string };

function keySchemaOf({ partitionKey, sortKey }: Keys): KeySchemaElement[] {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ];
}

function projectionOf(projected: readonly string[]): Projection {
  return projected.length === 0
    ? { ProjectionType: 'KEYS_ONLY' }
    : { ProjectionType: 'INCLUDE', NonKeyAttributes: [...projected] };
}

/** Unless it exists. A table in another shape, from an earlier version of the service, is deleted with its data. */
export async function createTable(
  endpoint: string,
  tableName: string,
  properties: TableProperties = serviceTable,
): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  try {
    const shape = await shapeOf(client, tableName);
    if (shape === shapeOfProperties(properties)) return;
    if (shape !== undefined) await client.send(new DeleteTableCommand({ TableName: tableName }));
    await createNewTable(client, tableName, properties);
  } finally {
    client.destroy();
  }
}

/** `undefined` if there is no table. */
async function shapeOf(client: DynamoDBClient, TableName: string): Promise<string | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    return shapeOfProperties(Table ?? {});
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

type Keyed = { readonly KeySchema?: readonly KeySchemaElement[] | undefined };
type Indexed = Keyed & {
  readonly GlobalSecondaryIndexes?:
    | readonly (Keyed & {
        readonly IndexName?: string | undefined;
        readonly Projection?: Projection | undefined;
      })[]
    | undefined;
};

function shapeOfProperties({ KeySchema, GlobalSecondaryIndexes = [] }: Indexed): string {
  const keysOf = (schema: Keyed['KeySchema']) =>
    (schema ?? []).map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`).sort();
  const indexes = GlobalSecondaryIndexes.map((index) => [
    index.IndexName,
    ...keysOf(index.KeySchema),
    ...(index.Projection?.NonKeyAttributes ?? []).toSorted(),
  ]);
  return JSON.stringify([keysOf(KeySchema), indexes.map(String).sort()]);
}

async function createNewTable(
  client: DynamoDBClient,
  TableName: string,
  { TimeToLiveSpecification, ...properties }: TableProperties,
): Promise<void> {
  try {
    await client.send(new CreateTableCommand({ TableName, ...properties }));
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName });
    if (TimeToLiveSpecification === undefined) return;
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  } catch (error) {
    // Another twin on the same DynamoDB was faster.
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}
