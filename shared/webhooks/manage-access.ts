import { requireScope } from '#shared/organizations/api-key';
import {
  type AuthenticationDependencies,
  authenticateKey,
} from '#shared/organizations/authenticate-caller';
import { type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';

/**
 * Admits who may manage an organization's webhooks, and answers which organization.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function authenticateManager(
  credential: string | undefined,
  dependencies: AuthenticationDependencies,
): Promise<OrganizationId> {
  const apiKey = await authenticateKey(credential, dependencies);
  requireScope(apiKey, 'manage_organization');
  return organizationIdOf(apiKey.id);
}
