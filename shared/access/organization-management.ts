import type { AuditEntry } from '#shared/audit/audit-entry';
import type { Organization } from '#shared/organizations/organization';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import type { Table } from '#shared/table/table-client';
import type { ApiKey } from './api-key.ts';
import { newApiKeyItem, openApiKeyStore } from './api-key-store.ts';

export function openOrganizationManagement(table: Table) {
  const { get, replace, create } = openOrganizationStore(table);
  return {
    now: Date.now,
    organizations: {
      get,
      replace,
      /** All or nothing. */
      create: (organization: Organization, firstKey: ApiKey, entries: readonly AuditEntry[]) =>
        create(organization, entries, [newApiKeyItem(table, firstKey)]),
      addApiKey: openApiKeyStore(table).add,
    },
  };
}
export type OrganizationManagement = ReturnType<typeof openOrganizationManagement>;
