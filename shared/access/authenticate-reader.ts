import { type Authentication, admitCaller, type Caller } from './authenticate-caller.ts';
import { hasScope, requireScope } from './scopes.ts';

/**
 * Admits a caller that may read all sends of its organization: with `read_sends`, or as its manager.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function authenticateReader(
  credential: string | undefined,
  authentication: Authentication,
): Promise<Caller> {
  const caller = await admitCaller(credential, authentication);
  const { apiKey } = caller;
  if (!hasScope(apiKey.scopes, 'manage_organization')) requireScope(apiKey, 'read_sends');
  return caller;
}
