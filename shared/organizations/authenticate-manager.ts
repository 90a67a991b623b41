import { type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { requireScope } from './api-key.ts';
import { type Authentication, authenticateKey } from './authenticate-caller.ts';

/**
 * Admits a caller that may manage its organization, and answers which organization that is.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function authenticateManager(
  credential: string | undefined,
  authentication: Authentication,
): Promise<OrganizationId> {
  const apiKey = await authenticateKey(credential, authentication);
  requireScope(apiKey, 'manage_organization');
  return organizationIdOf(apiKey.id);
}
