import { type ApiKeyId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { type Authentication, authenticateKey } from './authenticate-caller.ts';
import { requireScope } from './scopes.ts';

/** A caller that may manage its organization. */
export type Manager = { readonly organizationId: OrganizationId; readonly actor: ApiKeyId };

/**
 * Admits a caller that may manage its organization, and answers who it is.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function authenticateManager(
  credential: string | undefined,
  authentication: Authentication,
): Promise<Manager> {
  const apiKey = await authenticateKey(credential, authentication);
  requireScope(apiKey, 'manage_organization');
  return { organizationId: organizationIdOf(apiKey.id), actor: apiKey.id };
}
