import { changeSignIns } from '#shared/access/change-sign-ins';
import { readCredential } from '#shared/access/credential-text';
import { actorOf, findSignIn, withoutSignIn } from '#shared/access/sign-in';
import { defineEndpoint, WithHeaders } from '#shared/endpoints/endpoint';
import { noSessionCookie } from '#shared/http/session-cookie';
import type { TableAndClock } from '#shared/table/table-client';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /console/session',
    access: 'anybody',
    answers: { 204: { description: 'You are signed out.', headers: ['Set-Cookie'] } },
    errors: ['concurrent_change'],
    admitsInOperation: true,
    lambda: { stack: 'Console', tableActions: ['GetItem'], signsIn: true, writesAudit: true },
    words: {
      section: 'Console',
      summary: 'Sign out of the console',
      description: 'Ends the session and clears its cookie. Safe to repeat.',
    },
  },
  async ({ credential }, signingIn) => {
    await deleteSession(credential, signingIn);
    return new WithHeaders(undefined, { 'Set-Cookie': noSessionCookie() });
  },
);

/** Copies of the cookie end too. Does nothing without an existing session, so it can be repeated. */
export async function deleteSession(
  credential: string | undefined,
  signingIn: TableAndClock,
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
          actor: actorOf(apiKey ?? { id }, session),
          action: 'session.ended',
        },
        result: undefined,
      };
    },
    signingIn,
  );
}
