import { functionCatalogue } from '../constructs/function-catalogue.ts';
import type { HandlerLoader } from './function-invocation.ts';
import type { KeptData } from './kept-data.ts';
import { tableName } from './local-environment.ts';
import type { TableProperties } from './local-table.ts';
import type { LocalOrganization } from './seed.ts';

/** Loads CDK, which takes a second, to say what table is to be created. */
export async function describeTable(): Promise<TableProperties> {
  const { synthesiseTable } = await import('./local-table.ts');
  return synthesiseTable();
}

/** Loads the functions and creates and fills the table, all in the environment set before. */
export async function prepareService(
  dynamodbUrl: string,
  properties: TableProperties,
  loadHandler: HandlerLoader,
  data: KeptData | undefined,
): Promise<LocalOrganization> {
  const loads = functionCatalogue.map(({ name }) => loadHandler(name));
  const { createTable } = await import('./local-table.ts');
  await Promise.all([createTable(dynamodbUrl, tableName, properties), ...loads]);
  const { openLocalOrganization } = await import('./seed.ts');
  return openLocalOrganization(data);
}
