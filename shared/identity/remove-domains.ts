import type { RequestLog } from '#shared/observability/request-log';
import type { Identity } from './identity.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import { withoutRemoved } from './unwanted-identity.ts';

type RemovalUpkeep = Pick<IdentityUpkeep, 'now' | 'identities' | 'ses' | 'tenants'>;

/**
 * Takes the domains that the organization does not want any more out of SES, and then gives them free for
 * others. SES comes first: a domain that is free is in nobody's hands there. A process that dies in between
 * leaves the domain in the list, and the next check goes on.
 */
export async function removeDomains(
  identity: Identity,
  { now, identities, ses, tenants }: RemovalUpkeep,
): Promise<void> {
  let before: Identity | undefined = identity;
  for (const domain of identity.removing) {
    if (before === undefined) return;
    const found = await ses.get(domain);
    // What the organization does not own in SES was never made by this service.
    if (found?.ownerId === identity.organizationId) {
      await tenants?.dissociate(identity.organizationId, domain);
      await ses.delete(domain);
    }
    const after = withoutRemoved(before, domain, now());
    const outcome = await identities.storeRemoval(before, after, domain);
    // Whoever changed it meanwhile, or the next check, goes on.
    if (outcome === 'changed_meanwhile') return;
    before = after;
  }
}

/** The same at the end of a request, which is done without it: what fails is left to the next check. */
export async function tryRemoveDomains(
  identity: Identity,
  upkeep: RemovalUpkeep,
  log: RequestLog,
): Promise<void> {
  try {
    await removeDomains(identity, upkeep);
  } catch (error) {
    log.error('domain not yet out of SES', error, { organizationId: identity.organizationId });
  }
}
