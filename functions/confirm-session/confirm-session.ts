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
import { ServiceError } from '#shared/errors/service-error';
import type { ConfirmSessionRequest } from './endpoint.ts';

/** The session under its new secret, as the browser keeps it from now on. */
export type ConfirmedSession = {
  readonly text: string;
  readonly expiresAt: number;
  readonly confirmedUntil: number;
};

/**
 * Notes that the person in a session has its API key, and gives the session another secret: a cookie that was copied
 * before ends here. If the answer is lost, the session is gone, and the person signs in again.
 *
 * @param parse reads the request, once there is a session.
 * @throws ServiceError `invalid_api_key`, `other_api_key`, `concurrent_change`
 */
export function confirmSession(
  credential: string | undefined,
  parse: () => ConfirmSessionRequest,
  signingIn: SigningIn,
): Promise<ConfirmedSession> {
  if (credential === undefined) throw endedSession();
  const presented = parseApiKey(credential);
  if (!presented.isSession) throw endedSession();
  const shown = parseApiKey(parse().key);
  if (shown.isSession) throw mistypedApiKey();
  if (shown.id !== presented.id) throw otherKey();
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

const otherKey = (): ServiceError =>
  new ServiceError(
    'other_api_key',
    'This is not the API key you signed in with. Enter that one, or sign out and sign in with this one.',
  );
