import { type ApiKey, authenticate, parseApiKey } from './api-key.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import { noteKeyUse } from './key-use.ts';
import { requireScope, type Scope } from './scopes.ts';

/** What admitting the caller of a request uses. */
export type Authentication = {
  readonly now: () => number;
  readonly apiKeys: ApiKeyStore;
};

/**
 * Admits the caller of an endpoint that takes any valid key.
 *
 * @throws ServiceError `invalid_api_key`
 */
export async function authenticateKey(
  credential: string | undefined,
  { apiKeys, now }: Authentication,
): Promise<ApiKey> {
  const presented = parseApiKey(credential);
  const at = now();
  const apiKey = authenticate(presented, await apiKeys.get(presented.id), at);
  await noteKeyUse(apiKey, at, apiKeys);
  return apiKey;
}

/**
 * Admits the caller of an endpoint where a key is optional. Answers `undefined` without a key. A key that
 * is presented must be valid and have the scope.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function authenticateCaller(
  credential: string | undefined,
  scope: Scope,
  authentication: Authentication,
): Promise<ApiKey | undefined> {
  if (credential === undefined) return undefined;
  const apiKey = await authenticateKey(credential, authentication);
  requireScope(apiKey, scope);
  return apiKey;
}
