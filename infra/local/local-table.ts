import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';

const keySchema = z.array(
  z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }),
);

/** The part of an AWS::DynamoDB::Table that DynamoDB Local has as well. */
const tableProperties = z.object({
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z
    .array(
      z.object({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.object({ ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']) }),
      }),
    )
    .optional(),
  StreamSpecification: z
    .object({
      StreamViewType: z.enum(['NEW_AND_OLD_IMAGES', 'NEW_IMAGE', 'OLD_IMAGE', 'KEYS_ONLY']),
    })
    .optional(),
  BillingMode: z.enum(['PAY_PER_REQUEST', 'PROVISIONED']),
  TimeToLiveSpecification: z.object({ AttributeName: z.string(), Enabled: z.boolean() }).optional(),
});

export type TableProperties = z.output<typeof tableProperties>;

const template = z.object({
  Resources: z.record(z.string(), z.object({ Properties: z.unknown() })),
});

/** What CloudFormation would be told to create: the table is described once, in its construct. */
export async function synthesiseTable(): Promise<TableProperties> {
  const [{ App, Stack }, { ServiceTable }] = await Promise.all([
    import('aws-cdk-lib'),
    import('../constructs/service-table.ts'),
  ]);
  const outdir = mkdtempSync(join(tmpdir(), 'local-table-'));
  try {
    // CDK's own template validation takes two seconds to load and has nothing to find here.
    const app = new App({
      outdir,
      analyticsReporting: false,
      builtinCloudFormationValidation: false,
    });
    const stack = new Stack(app, 'LocalTable');
    new ServiceTable(stack, 'ServiceTable');
    const { Resources } = template.parse(app.synth().getStackByName(stack.stackName).template);
    return tableProperties.parse(Object.values(Resources)[0]?.Properties);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/**
 * Creates the table unless it exists. One of another shape, kept from an earlier version of the service,
 * makes room for it with all that it holds.
 */
export async function createTable(
  endpoint: string,
  tableName: string,
  properties: TableProperties,
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

/** Its keys and those of its indexes, as text; `undefined` when there is no such table. */
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
    | readonly (Keyed & { readonly IndexName?: string | undefined })[]
    | undefined;
};

function shapeOfProperties({ KeySchema, GlobalSecondaryIndexes = [] }: Indexed): string {
  const keysOf = (schema: Keyed['KeySchema']) =>
    (schema ?? []).map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`).sort();
  const indexes = GlobalSecondaryIndexes.map((index) => [
    index.IndexName,
    ...keysOf(index.KeySchema),
  ]);
  return JSON.stringify([keysOf(KeySchema), indexes.map(String).sort()]);
}

async function createNewTable(
  client: DynamoDBClient,
  TableName: string,
  { TimeToLiveSpecification, StreamSpecification, ...properties }: TableProperties,
): Promise<void> {
  try {
    const stream = StreamSpecification && { StreamEnabled: true, ...StreamSpecification };
    await client.send(
      new CreateTableCommand({ TableName, StreamSpecification: stream, ...properties }),
    );
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName });
    if (TimeToLiveSpecification === undefined) return;
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  } catch (error) {
    // Another twin on the same DynamoDB was faster.
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}
