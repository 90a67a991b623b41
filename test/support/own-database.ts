import { randomBytes } from 'node:crypto';
import {
  DeleteTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { inject, vi } from 'vitest';
import { openTable, type Table } from '#shared/table/table-client';
import { createTable } from '../../infra/local/dynamodb/table.ts';
import { awsIdentity, tableName } from '../../infra/local/environment.ts';
import { type TableSettings, testTable } from './test-table.ts';

export type Database = {
  /** In which AWS's clients find it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
  /** Creates the service's table, with its stream if that is asked for; needs the environment. */
  createTable(settings?: TableSettings): Promise<void>;
};

/** The access keys of the databases that the running file has. */
const accessKeys = new Set<string>();

/**
 * A database for the calling file alone, in the DynamoDB Local of its project: that one gives each access
 * key a database of its own. It goes when the file is over (`drop-databases-setup.ts`).
 */
export function ownDatabase(): Database {
  const url = inject('dynamodbEndpoint');
  const accessKey = `test${randomBytes(8).toString('hex')}`;
  accessKeys.add(accessKey);
  return {
    environment: {
      ...awsIdentity({}),
      AWS_ACCESS_KEY_ID: accessKey,
      AWS_ENDPOINT_URL_DYNAMODB: url,
    },
    url,
    createTable: (settings) => createTable(url, tableName, testTable(settings)),
  };
}

/** Opens the service's table in a database of the calling file's own. */
export async function openOwnTable(settings?: TableSettings): Promise<Table> {
  const database = ownDatabase();
  for (const [name, value] of Object.entries(database.environment)) vi.stubEnv(name, value);
  await database.createTable(settings);
  return openTable(tableName);
}

/** Deletes the tables of the file's databases: DynamoDB Local works on a table for as long as it has it. */
export async function dropDatabases(): Promise<void> {
  const keys = [...accessKeys];
  accessKeys.clear();
  await Promise.all(keys.map(dropTable));
}

async function dropTable(accessKeyId: string): Promise<void> {
  const client = new DynamoDBClient({
    endpoint: inject('dynamodbEndpoint'),
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'local' },
  });
  try {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  } finally {
    client.destroy();
  }
}
