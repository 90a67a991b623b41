import type * as z from 'zod/mini';
import { openApiKeyStore } from '#shared/access/api-key-store';
import type { identityEnvironment } from '#shared/config/environment';
import { openTable } from '#shared/table/table-client';
import { openIdentityChangeStore } from './identity-changes.ts';
import { openIdentityUpkeep } from './identity-upkeep.ts';

export function openIdentityManagement(environment: z.output<typeof identityEnvironment>) {
  const table = openTable(environment.TABLE_NAME);
  return {
    ...openIdentityUpkeep(table, environment),
    apiKeys: openApiKeyStore(table),
    identityChanges: openIdentityChangeStore(table),
  };
}
export type IdentityManagement = ReturnType<typeof openIdentityManagement>;
