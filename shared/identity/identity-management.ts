import type * as z from 'zod/mini';
import type { identityEnvironment } from '#shared/config/identity-environment';
import { ServiceError } from '#shared/errors/service-error';
import { openApiKeyStore } from '#shared/organizations/api-key-store';
import { openTable } from '#shared/table/table-client';
import { openIdentityChangeStore } from './identity-change-limit.ts';
import { openIdentityUpkeep } from './identity-upkeep.ts';

/** What managing the identity of an organization uses. */
export function openIdentityManagement(environment: z.output<typeof identityEnvironment>) {
  const table = openTable(environment.TABLE_NAME);
  return {
    ...openIdentityUpkeep(table, environment),
    apiKeys: openApiKeyStore(table),
    identityChanges: openIdentityChangeStore(table),
  };
}
export type IdentityManagement = ReturnType<typeof openIdentityManagement>;

export const identityNotFound = (): ServiceError =>
  new ServiceError(
    'identity_not_found',
    'The organization has no From identity. Set one with PUT /api/v1/organization/identity.',
  );

export const changedMeanwhile = (): ServiceError =>
  new ServiceError(
    'concurrent_change',
    'The identity was changed by another request, or is being removed. Read it again, then repeat your change.',
    { retryAfterSeconds: 5 },
  );
