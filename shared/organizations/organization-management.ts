import type { Table } from '#shared/table/table-client';
import { openOrganizationManagementStore } from './organization-management-store.ts';

/** What the operator's work on organizations uses. */
export const openOrganizationManagement = (table: Table) => ({
  now: Date.now,
  organizations: openOrganizationManagementStore(table),
});
export type OrganizationManagement = ReturnType<typeof openOrganizationManagement>;
