import type { GivenLimits } from '#shared/organizations/organization-limits';
import type { CursorOwner } from '#shared/table/cursor';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { type ApiKey, authenticate, invalidApiKey, parseApiKey } from './api-key.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import { noteKeyUse } from './key-use.ts';
import { requireScope, type Scope } from './scopes.ts';
import { findSignIn, type SignIn } from './sign-in.ts';

/** What admitting the caller of a request uses. */
export type Authentication = {
  readonly now: () => number;
  readonly apiKeys: ApiKeyStore;
};

/** A key that was admitted, the session that it was used in, if any, and its organization as the owner of lists. */
export type Caller = {
  readonly apiKey: ApiKey;
  readonly session: SignIn | undefined;
  readonly cursorOwner: CursorOwner;
  /** What the operator has set for the organization alone. */
  readonly ownLimits: GivenLimits | undefined;
};

/**
 * Admits the caller of an endpoint that takes any valid key.
 *
 * @throws ServiceError `invalid_api_key`
 */
export async function authenticateKey(
  credential: string | undefined,
  authentication: Authentication,
): Promise<ApiKey> {
  return (await admitCaller(credential, authentication)).apiKey;
}

/**
 * The same for an endpoint that answers a list in pages.
 *
 * @throws ServiceError `invalid_api_key`
 */
export async function admitCaller(
  credential: string | undefined,
  { apiKeys, now }: Authentication,
): Promise<Caller> {
  const presented = parseApiKey(credential);
  const at = now();
  const found = await apiKeys.get(presented.id);
  if (found === undefined) throw invalidApiKey();
  const apiKey = authenticate(presented, found.apiKey, at);
  await noteKeyUse(apiKey, at, apiKeys);
  const cursorOwner = { id: organizationIdOf(apiKey.id), secret: found.cursorSecret };
  const { secretHash } = presented;
  const session = presented.isSession
    ? findSignIn(apiKey.signIns, { kind: 'session', secretHash }, at)
    : undefined;
  return { apiKey, session, cursorOwner, ownLimits: found.limits };
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
