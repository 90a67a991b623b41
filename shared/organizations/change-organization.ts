import { isDeepStrictEqual } from 'node:util';
import { type Actor, type AuditEntry, type Change, newAuditEntry } from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import type { Table, TableAndClock } from '#shared/table/table-client';
import type { TransactionItem } from '#shared/table/writes';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { changeTimeOf, type Organization } from './organization.ts';
import { getOrganization, replaceOrganization } from './organization-store.ts';

/** Throws to refuse. */
type Edit = (organization: Organization) => Organization | Promise<Organization>;

const maxTries = 2;

/**
 * If another request changes it at the same moment, applies the change again on top.
 *
 * @param describe what the audit says about the change.
 * @param alsoWritten items of the same transaction.
 */
export async function changeOrganization(
  id: OrganizationId,
  actor: Actor,
  change: Edit,
  { table, now: readClock }: TableAndClock,
  {
    describe = organizationChange,
    alsoWritten,
  }: {
    readonly describe?: (before: Organization, after: Organization) => Change;
    readonly alsoWritten?: (
      before: Organization,
      after: Organization,
      entry: AuditEntry,
    ) => readonly TransactionItem[];
  } = {},
): Promise<Organization> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = await findOrganization(table, id);
    const changed = await change(before);
    if (isDeepStrictEqual(changed, before)) return before;
    const now = readClock();
    const after = { ...changed, updatedAt: changeTimeOf(before, now) };
    const entry = newAuditEntry(before.id, actor, describe(before, changed), now);
    const outcome = await replaceOrganization(
      table,
      before,
      after,
      entry,
      alsoWritten?.(before, after, entry),
    );
    if (outcome === 'stored') return after;
  }
  throw new ServiceError('concurrent_change');
}

export async function findOrganization(table: Table, id: OrganizationId): Promise<Organization> {
  const organization = await getOrganization(table, id);
  if (organization === undefined) throw new ServiceError('organization_not_found');
  return organization;
}

/** The audit only says that these addresses are set, never what they are. */
const addresses: ReadonlySet<string> = new Set(['replyTo', 'noticeEmail']);

/** It says no more than the address itself. */
const unshown: ReadonlySet<string> = new Set(['noticeEmailVersion']);

/** What the audit says about a change of an organization's own fields. `null` means no value. */
function organizationChange(before: Organization, after: Organization): Change {
  const [was, is] = [Object.entries(before), Object.entries(after)].map(
    (entries) => new Map<string, unknown>(entries),
  );
  const names = new Set([...Object.keys(before), ...Object.keys(after)]).difference(unshown);
  const different = [...names].filter((name) => !isDeepStrictEqual(was?.get(name), is?.get(name)));
  const valuesIn = (values: ReadonlyMap<string, unknown> | undefined) =>
    Object.fromEntries(different.map((name) => [name, shownValue(name, values?.get(name))]));
  return {
    action: 'organization.updated',
    target: before.id,
    before: valuesIn(was),
    after: valuesIn(is),
  };
}

const shownValue = (name: string, value: unknown): unknown => {
  if (value === undefined) return null;
  return addresses.has(name) ? 'an address' : value;
};
