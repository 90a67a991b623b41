import { type ApiKey, authenticate, holdsSecret, parseApiKey } from '#shared/access/api-key';
import { changeSignIns, type SigningIn } from '#shared/access/change-sign-ins';
import { type DayQuotas, limitSignInLinks } from '#shared/access/limit-day';
import { requireScope } from '#shared/access/scopes';
import { newLink, withSignIn } from '#shared/access/sign-in';
import { ServiceError } from '#shared/errors/service-error';
import { organizationIdOf } from '#shared/tokens/resource-id';

/**
 * The link signs in once, as the key would. Its secret follows the `#`, which browsers don't send, so a program that
 * only opens the link doesn't use it up: it would have to run the page and press its button.
 */
export async function createSignInLink(
  credential: string | undefined,
  signingIn: SigningIn & DayQuotas,
): Promise<{ readonly path: string; readonly expiresAt: number }> {
  const presented = parseApiKey(credential);
  if (presented.isSession) throw needsKey();
  const admit = (stored: ApiKey | undefined, now: number): ApiKey => {
    if (holdsSecret(presented, stored)) signingIn.onSecret?.(presented.id);
    const apiKey = authenticate(presented, stored, now);
    requireScope(apiKey, 'manage_organization');
    return apiKey;
  };

  const found = await signingIn.apiKeys.get(presented.id);
  const at = signingIn.now();
  admit(found?.apiKey, at);
  const owner = { organizationId: organizationIdOf(presented.id), ownLimits: found?.limits };
  await limitSignInLinks(owner, at, signingIn);

  return changeSignIns(
    presented.id,
    (stored, now) => {
      const apiKey = admit(stored, now);
      const { text, signIn } = newLink(apiKey, now);
      return {
        change: {
          after: withSignIn(apiKey.signIns, signIn, now),
          actor: apiKey.id,
          action: 'sign_in_link.created',
        },
        result: { path: `/console/sign-in#${text}`, expiresAt: signIn.expiresAt },
      };
    },
    signingIn,
  );
}

// A copied cookie must not be renewed forever.
const needsKey = (): ServiceError =>
  new ServiceError('invalid_api_key', 'A session can’t make sign-in links. Use an API key.');
