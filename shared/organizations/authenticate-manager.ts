import { type ApiKeyId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { type Authentication, admitCaller, type Caller } from './authenticate-caller.ts';
import { requireScope } from './scopes.ts';

/** A caller that may manage its organization. */
export type Manager = { readonly organizationId: OrganizationId; readonly actor: ApiKeyId };
/** The same, with its organization as the owner of lists. */
export type ListingManager = Manager & Pick<Caller, 'cursorOwner'>;

/**
 * Admits a caller that may manage its organization, and answers who it is.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function authenticateManager(
  credential: string | undefined,
  authentication: Authentication,
): Promise<ListingManager> {
  const { apiKey, cursorOwner } = await admitCaller(credential, authentication);
  requireScope(apiKey, 'manage_organization');
  return { organizationId: organizationIdOf(apiKey.id), actor: apiKey.id, cursorOwner };
}
