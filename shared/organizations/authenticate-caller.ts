import type { ApiKeyId } from '#shared/tokens/resource-id';
import { type ApiKey, authenticate, invalidApiKey, parseApiKey, requireScope } from './api-key.ts';
import type { Scope } from './scopes.ts';

export type AuthenticationDependencies = {
  readonly now: () => number;
  readonly getApiKey: (id: ApiKeyId) => Promise<ApiKey | undefined>;
};

/**
 * Admits the caller of an endpoint that takes any valid key.
 *
 * @throws ServiceError `invalid_api_key`
 */
export async function authenticateKey(
  credential: string | undefined,
  { getApiKey, now }: AuthenticationDependencies,
): Promise<ApiKey> {
  const presented = parseApiKey(credential ?? '');
  if (presented === undefined) throw invalidApiKey();
  return authenticate(presented, await getApiKey(presented.id), now());
}

/**
 * Admits the caller of an endpoint where a key is optional: without one the answer is `undefined`, but
 * one that is presented must be valid and have the scope.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function authenticateCaller(
  credential: string | undefined,
  scope: Scope,
  dependencies: AuthenticationDependencies,
): Promise<ApiKey | undefined> {
  if (credential === undefined) return undefined;
  const apiKey = await authenticateKey(credential, dependencies);
  requireScope(apiKey, scope);
  return apiKey;
}
