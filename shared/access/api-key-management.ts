import type { GivenLimits } from '#shared/organizations/organization-limits';
import type { Table } from '#shared/table/table-client';
import { openApiKeyChangeStore } from './api-key-change-store.ts';
import { openApiKeyStore } from './api-key-store.ts';

/** What managing the API keys of an organization uses. */
export const openApiKeyManagement = (table: Table, limitsOfDeployment: GivenLimits = {}) => ({
  limitsOfDeployment,
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  apiKeyChanges: openApiKeyChangeStore(table),
});
export type ApiKeyManagement = ReturnType<typeof openApiKeyManagement>;
