import type * as z from 'zod/mini';
import type { identityEnvironment } from '#shared/config/environment';
import type { Table } from '#shared/table/table-client';
import { openIdentityChangeStore } from './identity-change-store.ts';
import { openIdentityUpkeep } from './open-identity-upkeep.ts';

export const openIdentityManagement = (
  table: Table,
  environment: z.output<typeof identityEnvironment>,
) => ({
  ...openIdentityUpkeep(table, environment),
  identityChanges: openIdentityChangeStore(table),
});
export type IdentityManagement = ReturnType<typeof openIdentityManagement>;
