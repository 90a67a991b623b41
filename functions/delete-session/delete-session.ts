import { getApiKey } from '#shared/access/api-key-store';
import { endPresentedSession } from '#shared/access/change-sign-ins';
import { readSessionText } from '#shared/access/credential-text';
import { findSignIn } from '#shared/access/sign-in';
import { defineEndpoint, WithHeaders } from '#shared/endpoints/endpoint';
import { noSessionCookie, sessionCookie, waitingSessionIn } from '#shared/http/session-cookie';
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
      description:
        'Ends the session and clears its cookie. An operator who has entered an organization leaves it: the cookie holds their own session again. Safe to repeat.',
    },
  },
  async ({ credential, headers }, signingIn) => {
    await deleteSession(credential, signingIn);
    const own = await readOwnSession(headers['cookie'], signingIn);
    const cookie = own && sessionCookie(own.text, own.expiresAt, signingIn.now());
    return new WithHeaders(undefined, { 'Set-Cookie': cookie ?? noSessionCookie() });
  },
);

/** Of an operator who leaves an organization. It may have ended since. */
async function readOwnSession(cookies: string | undefined, { table, now }: TableAndClock) {
  const text = waitingSessionIn(cookies);
  const presented = readSessionText(text);
  if (text === undefined || presented === undefined) return undefined;
  const { id, secretHash } = presented;
  const found = await getApiKey(table, id);
  const session = findSignIn(found?.apiKey.signIns, { kind: 'session', secretHash }, now());
  return session && { text, expiresAt: session.expiresAt };
}

/** Does nothing without an existing session, so it can be repeated. */
export async function deleteSession(
  credential: string | undefined,
  signingIn: TableAndClock,
): Promise<void> {
  const presented = readSessionText(credential);
  if (presented !== undefined) await endPresentedSession(presented, signingIn);
}
