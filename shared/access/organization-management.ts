import type { AuditEntry } from '#shared/audit/audit-entry';
import type { Organization } from '#shared/organizations/organization';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import type { Table } from '#shared/table/table-client';
import type { ApiKey } from './api-key.ts';
import { newApiKeyItem, openApiKeyStore } from './api-key-store.ts';

/** What the operator's work on organizations uses. */
export function openOrganizationManagement(table: Table) {
  const { get, replace, create } = openOrganizationStore(table);
  return {
    now: Date.now,
    organizations: {
      get,
      replace,
      /** Stores a new organization with its first key and the audit entries: all of it or nothing. */
      create: (organization: Organization, firstKey: ApiKey, entries: readonly AuditEntry[]) =>
        create(organization, entries, [newApiKeyItem(table, firstKey)]),
      addApiKey: openApiKeyStore(table).add,
    },
  };
}
export type OrganizationManagement = ReturnType<typeof openOrganizationManagement>;
