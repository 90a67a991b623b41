import { type AuditEntry, newAuditEntry } from '#shared/audit/audit-entry';
import { contactDigestOf, type Organization } from '#shared/organizations/organization';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { newCursorSecret } from '#shared/table/cursor';
import type { Table } from '#shared/table/table-client';
import { newOrganizationId } from '#shared/tokens/resource-id';
import type { ApiKey } from './api-key.ts';
import { newApiKeyItem, openApiKeyStore } from './api-key-store.ts';

export function openOrganizationManagement(table: Table) {
  const { get, replace, create } = openOrganizationStore(table);
  return {
    organizations: {
      get,
      replace,
      /** All or nothing. */
      async create(organization: Organization, firstKey: ApiKey, entries: readonly AuditEntry[]) {
        const outcome = await create(organization, entries, [newApiKeyItem(firstKey)]);
        if (outcome === 'refused') {
          throw new Error('A new organization has the id of an existing one');
        }
      },
      addApiKey: openApiKeyStore(table).add,
    },
  };
}
export type OrganizationManagement = ReturnType<typeof openOrganizationManagement> & {
  readonly now: () => number;
};

/** Makes an organization as the operator does, with its audit entry. `now` in epoch milliseconds. */
export function newOrganization(
  { name, attachmentsEnabled }: Pick<Organization, 'name' | 'attachmentsEnabled'>,
  now: number,
): { readonly organization: Organization; readonly created: AuditEntry } {
  const id = newOrganizationId();
  const organization: Organization = {
    id,
    name,
    paused: false,
    attachmentsEnabled,
    policies: {},
    webhooks: {},
    ...contactDigestOf(id),
    cursorSecret: newCursorSecret(),
    createdAt: now,
    updatedAt: now,
  };
  const change = {
    action: 'organization.created',
    target: id,
    after: { name, attachmentsEnabled },
  };
  return { organization, created: newAuditEntry(id, 'operator', change, now) };
}
