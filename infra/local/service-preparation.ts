import { functionCatalogue } from '../constructs/function-catalogue.ts';
import type { HandlerLoader } from './function-invocation.ts';
import type { KeptData } from './kept-data.ts';
import { tableName } from './local-environment.ts';
import type { LocalOrganization } from './seed.ts';
import type { StandIns } from './stand-ins.ts';

/** Loads the functions and creates and fills the table, all in the environment set before. */
export async function prepareService(
  { ready, endpoints }: StandIns,
  loadHandler: HandlerLoader,
  data: KeptData | undefined,
): Promise<LocalOrganization> {
  const loads = functionCatalogue.map(({ name }) => loadHandler(name));
  // Named first: whoever lacks Java should read that, whatever else fails for want of a database.
  await Promise.all([ready, prepareTable(endpoints.dynamodb, ready), ...loads]);
  const { openLocalOrganization } = await import('./seed.ts');
  return openLocalOrganization(data);
}

async function prepareTable(endpoint: string, ready: Promise<void>): Promise<void> {
  const { createTable, synthesiseTable } = await import('./local-table.ts');
  const properties = await synthesiseTable();
  await ready;
  await createTable(endpoint, tableName, properties);
}
