import { isDeepStrictEqual } from 'node:util';
import type { SesTenantStates } from '#shared/domains/ses-tenants';
import type { TableAndClock } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { afterTenantState } from './identity.ts';
import { identityNotices } from './identity-notices.ts';
import { getIdentity, listIdentities, storeIdentityChange } from './identity-store.ts';
import { newPauseOf } from './settle-identity.ts';

export type TenantWatch = TableAndClock & {
  readonly tenantStates: SesTenantStates;
};

/** `no_tenant`: no send of the organization names a tenant, so its state doesn't matter. */
type TenantOutcome = 'stored' | 'known' | 'no_tenant';

/** A change of an identity takes seconds. */
const maxTries = 3;

/**
 * Adds a notice when SES no longer lets the organization send. SES is asked after the identity is read, so events may
 * come late, twice or out of order: when two ask at once, the older answer isn't stored.
 *
 * @throws Error when others keep changing the identity: the caller repeats it later.
 */
export async function settleTenant(
  organizationId: OrganizationId,
  { table, now: readClock, tenantStates }: TenantWatch,
): Promise<TenantOutcome> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const { identity, organization } = await getIdentity(table, organizationId);
    // The check that makes it a tenant reads the state itself.
    if (organization?.tenant === undefined) return 'no_tenant';
    // Without a default, the identity of another domain is checked again soon.
    const before = identity ?? (await listIdentities(table, organizationId))[0];
    if (before === undefined) return 'no_tenant';
    const tenant = await tenantStates.read(organizationId);
    if (tenant === undefined) return 'no_tenant';
    if (isDeepStrictEqual(tenant, organization.tenant)) return 'known';
    const now = readClock();
    const notices = identityNotices(
      organizationId,
      { paused: newPauseOf(tenant, organization) },
      now,
    );
    const change = { before, after: afterTenantState(before, tenant, now) };
    const outcome = await storeIdentityChange(
      table,
      change,
      { tenant, domainsVersion: organization.domainsVersion },
      { notices },
    );
    if (outcome === 'stored') return 'stored';
  }
  throw new Error('Others keep changing the identity');
}
