import { ServiceError } from '#shared/errors/service-error';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import type { ApiKey } from './api-key.ts';
import type { Authentication } from './authenticate-caller.ts';
import type { SignIn } from './sign-in.ts';
import type { SignInStore } from './sign-in-store.ts';

/** What signing in and out uses. */
export type SigningIn = Authentication & { readonly signIns: SignInStore };

/** The sign-ins that a key shall have, and what the caller wants to know of that. */
export type PlannedSignIns<Result> = {
  /** Nothing is to change without it. */
  readonly after?: readonly SignIn[];
  readonly result: Result;
};

const maxTries = 5;

/**
 * Changes the sign-ins of a key. When others changed them meanwhile, it reads and plans again.
 *
 * @param plan admits the caller and says what shall be; throws what refuses it.
 * @throws ServiceError `concurrent_change`
 */
export async function changeSignIns<Result>(
  id: ApiKeyId,
  plan: (apiKey: ApiKey | undefined, now: number) => PlannedSignIns<Result>,
  { now, apiKeys, signIns }: SigningIn,
): Promise<Result> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const apiKey = (await apiKeys.get(id))?.apiKey;
    const { after, result } = plan(apiKey, now());
    if (apiKey === undefined || after === undefined) return result;
    if (await signIns.replace(apiKey, after)) return result;
  }
  throw new ServiceError(
    'concurrent_change',
    'Others sign in with this API key at the same moment. Try again.',
  );
}
