import { type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { requireScope } from './api-key.ts';
import { type Authentication, authenticateKey } from './authenticate-caller.ts';

/**
 * Admits who may manage an organization, and answers which organization.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function authenticateManager(
  credential: string | undefined,
  dependencies: Authentication,
): Promise<OrganizationId> {
  const apiKey = await authenticateKey(credential, dependencies);
  requireScope(apiKey, 'manage_organization');
  return organizationIdOf(apiKey.id);
}
