import type { OrganizationManagement } from '#shared/access/organization-management';
import type { AuditEntry } from '#shared/audit/audit-entry';
import type { Organization } from '#shared/organizations/organization';
import type { TransactionItem } from '#shared/table/writes';
import { unexpected } from './unexpected.ts';

export const managementNow = 1_750_000_000_000;

/** Fakes what managing organizations uses. Functions that are not given throw. */
export const fakeOrganizationManagement = (
  given: Partial<OrganizationManagement['organizations']> = {},
): OrganizationManagement => ({
  now: () => managementNow,
  organizations: {
    create: unexpected('organizations.create'),
    get: unexpected('organizations.get'),
    replace: unexpected('organizations.replace'),
    addApiKey: unexpected('organizations.addApiKey'),
    ...given,
  },
});

type Replacement = {
  readonly before: Organization;
  readonly after: Organization;
  readonly entry: AuditEntry;
  readonly beside: readonly TransactionItem[];
};

/**
 * A world of one organization, which is read in these versions, one after the other. `written` lists the
 * replacements; each ends in the outcome of its turn.
 */
export function fakeOrganizationVersions(
  versions: readonly (Organization | undefined)[],
  outcomes: readonly ('stored' | 'changed_meanwhile')[] = ['stored'],
) {
  const written: Replacement[] = [];
  let reads = 0;
  const management = fakeOrganizationManagement({
    get: async (id) => {
      reads += 1;
      const version = versions[reads - 1];
      return version?.id === id ? version : undefined;
    },
    replace: async (before, after, entry, beside = []) => {
      written.push({ before, after, entry, beside });
      return outcomes[written.length - 1] ?? 'changed_meanwhile';
    },
  });
  return { management, written };
}
