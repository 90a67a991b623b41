import type { Organization } from '#shared/organizations/organization';
import type { Identity } from './identity.ts';
import type { IdentityChange } from './identity-items.ts';
import type { IdentityContext } from './identity-store.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import { noIdentityOf, withoutWanted } from './unwanted-identity.ts';

/**
 * The identities of an organization after its deletion: the schedule takes its domains out of SES.
 *
 * @param identities all of them.
 * @returns none when SES has nothing of the organization.
 */
export function afterDeletion(
  { id, identity: sending, tenant }: Organization,
  identities: readonly Identity[],
  now: number,
): readonly IdentityChange[] {
  const byDefault = identities.find(({ otherDomain }) => otherDomain === undefined);
  const isKnown = sending !== undefined || (tenant !== undefined && identities.length === 0);
  const place = { organizationId: id };
  const ofDefault = {
    before: byDefault,
    after: withoutWanted(byDefault ?? noIdentityOf(place), sending, now),
  };
  const others = identities.filter(
    // One that is unwanted already leaves SES anyway.
    ({ otherDomain, wanted }) => otherDomain !== undefined && wanted !== undefined,
  );
  return [
    ...(byDefault !== undefined || isKnown ? [ofDefault] : []),
    ...others.map((before) => ({ before, after: withoutWanted(before, undefined, now) })),
  ];
}

/**
 * Takes the tenant of a deleted organization out of SES, before its domains go: SES deletes no domain that a
 * tenant has. Each step may be repeated.
 *
 * @returns the identity after that; `undefined` when nothing is left to do.
 */
export async function leaveTenant(
  before: IdentityContext['identity'],
  { now, identities, tenants }: Pick<IdentityUpkeep, 'now' | 'identities' | 'tenants'>,
): Promise<IdentityContext['identity']> {
  if (before === undefined) return undefined;
  // A domain that was set at the moment of the deletion is still wanted.
  const after = before.wanted === undefined ? before : withoutWanted(before, undefined, now());
  if (after !== before) {
    const outcome = await identities.storeChange({ before, after }, {});
    if (outcome === 'changed_meanwhile') return undefined;
  }
  await tenants?.delete(before.organizationId);
  if (after.removing.length > 0) return after;
  await identities.remove(after);
  return undefined;
}
