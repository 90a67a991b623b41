import type { TestProject } from 'vitest/node';
import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { createTable } from '../../infra/local/dynamodb/table.ts';
import { awsIdentity, setEnvironment, tableName } from '../../infra/local/environment.ts';
import { testTable } from './test-table.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
    tableName: string;
  }
}

let running: ReturnType<typeof start> | undefined;
let users = 0;

/**
 * One DynamoDB Local for all files of all projects that need it. It has the service's table, without its
 * stream, for those that share one (`store-table.ts`); the others make one of their own
 * (`own-database.ts`).
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  running ??= start(project.name === 'dynamodb');
  users += 1;
  const { dynamodb, endpoint } = await running;
  project.provide('dynamodbEndpoint', endpoint);
  project.provide('tableName', tableName);
  return async () => {
    users -= 1;
    if (users === 0) await dynamodb.stop();
  };
}

async function start(isForLong: boolean) {
  const dynamodb = launchDynamodb({ isForLong });
  const endpoint = await dynamodb.url;
  // Not for longer: the tests inherit this environment.
  const restoreEnvironment = setEnvironment(awsIdentity({}));
  await createTable(endpoint, tableName, testTable());
  restoreEnvironment();
  return { dynamodb, endpoint };
}
