import type { Actor } from '#shared/audit/audit-entry';
import { type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { type Authentication, admitCaller, type Caller } from './authenticate-caller.ts';
import { requireScope } from './scopes.ts';
import { actorOf } from './sign-in.ts';

/** A caller that may manage its organization. */
export type Manager = { readonly organizationId: OrganizationId; readonly actor: Actor };
/** The same, with its session, if it has one, and with its organization as the owner of lists. */
export type ListingManager = Manager & Pick<Caller, 'cursorOwner' | 'session' | 'ownLimits'>;

/**
 * Admits a caller that may manage its organization, and answers who it is.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function authenticateManager(
  credential: string | undefined,
  authentication: Authentication,
): Promise<ListingManager> {
  const { apiKey, session, cursorOwner, ownLimits } = await admitCaller(credential, authentication);
  requireScope(apiKey, 'manage_organization');
  return {
    organizationId: organizationIdOf(apiKey.id),
    actor: actorOf(apiKey.id, session),
    session,
    cursorOwner,
    ownLimits,
  };
}
