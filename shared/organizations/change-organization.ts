import { isDeepStrictEqual } from 'node:util';
import { type Actor, type Change, newAuditEntry } from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { changeTimeOf, type Organization } from './organization.ts';
import { organizationChange } from './organization-audit.ts';
import type { OrganizationStore } from './organization-store.ts';

export type OrganizationChanging = {
  readonly now: () => number;
  readonly organizations: Pick<OrganizationStore, 'get' | 'replace'>;
};

/** Throws to refuse. */
type WantedChange = (organization: Organization) => Organization | Promise<Organization>;

const maxTries = 2;

/**
 * If another request changes it at the same moment, applies the change again on top.
 *
 * @param describe what the audit says about the change.
 */
export async function changeOrganization(
  id: OrganizationId,
  actor: Actor,
  change: WantedChange,
  { now: readClock, organizations }: OrganizationChanging,
  describe: (before: Organization, after: Organization) => Change = organizationChange,
): Promise<Organization> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = await findOrganization(id, organizations);
    const changed = await change(before);
    if (isDeepStrictEqual(changed, before)) return before;
    const now = readClock();
    const after = { ...changed, updatedAt: changeTimeOf(before, now) };
    const entry = newAuditEntry(before.id, actor, describe(before, changed), now);
    if ((await organizations.replace(before, after, entry)) === 'stored') return after;
  }
  throw new ServiceError('concurrent_change');
}

export async function findOrganization(
  id: OrganizationId,
  organizations: Pick<OrganizationStore, 'get'>,
): Promise<Organization> {
  const organization = await organizations.get(id);
  if (organization === undefined) throw new ServiceError('organization_not_found');
  return organization;
}
