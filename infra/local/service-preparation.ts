import { tableName } from './environment.ts';
import type { KeptData } from './kept-data.ts';
import type { LocalOrganization } from './seed.ts';

/** Creates and fills the table, in the environment set before. */
export async function prepareService(
  dynamodbUrl: string,
  data: KeptData | undefined,
): Promise<LocalOrganization> {
  const [{ createTable }, { openLocalOrganization }] = await Promise.all([
    import('./dynamodb/table.ts'),
    import('./seed.ts'),
  ]);
  await createTable(dynamodbUrl, tableName);
  return openLocalOrganization(data);
}
