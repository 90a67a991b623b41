import { authenticate, endedSession, mistypedApiKey, parseApiKey } from '#shared/access/api-key';
import { changeSignIns, type SigningIn } from '#shared/access/change-sign-ins';
import {
  actorOf,
  confirmedSession,
  confirmedUntil,
  findSignIn,
  withoutSignIn,
  withSignIn,
} from '#shared/access/sign-in';
import type { UnadmittedRequest } from '#shared/endpoints/serve';
import { ServiceError } from '#shared/errors/service-error';
import type { endpoint } from './endpoint.ts';

/**
 * Records that the person in the session has its API key, and gives the session a new secret, which invalidates copies
 * of the old cookie. If the answer is lost, so is the session, and the person signs in again.
 */
export function confirmSession(
  { credential, readParts }: Pick<UnadmittedRequest<typeof endpoint>, 'credential' | 'readParts'>,
  signingIn: SigningIn,
) {
  if (credential === undefined) throw endedSession();
  const presented = parseApiKey(credential);
  if (!presented.isSession) throw endedSession();
  const shown = parseApiKey(readParts().body.key);
  if (shown.isSession) throw mistypedApiKey();
  if (shown.id !== presented.id) throw new ServiceError('other_api_key');
  const { id, secretHash } = presented;
  return changeSignIns(
    id,
    (stored, now) => {
      const apiKey = authenticate(presented, stored, now);
      authenticate(shown, stored, now);
      const session = findSignIn(apiKey.signIns, { kind: 'session', secretHash }, now);
      if (session === undefined) throw endedSession();
      const { text, signIn } = confirmedSession(session, apiKey, now);
      return {
        change: {
          after: withSignIn(withoutSignIn(apiKey.signIns, session), signIn, now),
          actor: actorOf(id, signIn),
          action: 'session.confirmed',
        },
        result: { text, expiresAt: signIn.expiresAt, confirmedUntil: confirmedUntil(signIn) },
      };
    },
    signingIn,
  );
}
