import type { TestProject } from 'vitest/node';
import { launchDynamodb } from '../../infra/local/dynamodb.ts';
import { awsIdentity, setEnvironment, tableName } from '../../infra/local/local-environment.ts';
import {
  createTable,
  synthesiseTable,
  type TableProperties,
} from '../../infra/local/local-table.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
    tableName: string;
    tableProperties: TableProperties;
  }
}

/**
 * One DynamoDB Local for all files of a project. It has the service's table for those that share one
 * (`store-table.ts`); the others make one of their own (`own-database.ts`).
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dynamodb = launchDynamodb();
  const properties = await synthesiseTable();
  const endpoint = await dynamodb.url;
  // Not for longer: the tests inherit this environment.
  const restoreEnvironment = setEnvironment(awsIdentity({}));
  await createTable(endpoint, tableName, properties);
  restoreEnvironment();
  project.provide('dynamodbEndpoint', endpoint);
  project.provide('tableName', tableName);
  project.provide('tableProperties', properties);
  return dynamodb.stop;
}
