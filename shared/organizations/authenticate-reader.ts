import type { ApiKey } from './api-key.ts';
import { type Authentication, authenticateKey } from './authenticate-caller.ts';
import { hasScope, requireScope } from './scopes.ts';

/**
 * Admits a caller that may read all sends of its organization: with `read_sends`, or as its manager.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function authenticateReader(
  credential: string | undefined,
  authentication: Authentication,
): Promise<ApiKey> {
  const apiKey = await authenticateKey(credential, authentication);
  if (!hasScope(apiKey.scopes, 'manage_organization')) requireScope(apiKey, 'read_sends');
  return apiKey;
}
