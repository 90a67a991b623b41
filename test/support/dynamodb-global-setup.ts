import type { TestProject } from 'vitest/node';
import { launchDynamodb } from '../../infra/local/dynamodb.ts';
import { awsIdentity, setEnvironment, tableName } from '../../infra/local/local-environment.ts';
import { createTable, synthesiseTable } from '../../infra/local/local-table.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
    tableName: string;
  }
}

/** One DynamoDB Local with the service's table for all store tests: see `store-table.ts`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dynamodb = await launchDynamodb();
  const properties = await synthesiseTable();
  await dynamodb.ready;
  // Not for longer: other projects' tests inherit this environment, and bring their own DynamoDB.
  const restoreEnvironment = setEnvironment(awsIdentity({}));
  await createTable(dynamodb.url, tableName, properties);
  restoreEnvironment();
  project.provide('dynamodbEndpoint', dynamodb.url);
  project.provide('tableName', tableName);
  return dynamodb.stop;
}
