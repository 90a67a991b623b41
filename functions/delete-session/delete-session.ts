import { changeSignIns, type SigningIn } from '#shared/access/change-sign-ins';
import { readCredential } from '#shared/access/credential-text';
import { actorOf, findSignIn, withoutSignIn } from '#shared/access/sign-in';

/** Copies of the cookie end too. Does nothing without an existing session, so it can be repeated. */
export async function deleteSession(
  credential: string | undefined,
  signingIn: SigningIn,
): Promise<void> {
  const presented = credential === undefined ? undefined : readCredential(credential);
  if (presented?.kind !== 'session') return;
  const { kind, id, secretHash } = presented;
  await changeSignIns(
    id,
    (apiKey, now) => {
      const session = findSignIn(apiKey?.signIns, { kind, secretHash }, now);
      return {
        change: session && {
          after: withoutSignIn(apiKey?.signIns, session),
          actor: actorOf(id, session),
          action: 'session.ended',
        },
        result: undefined,
      };
    },
    signingIn,
  );
}
