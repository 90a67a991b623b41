import { endPresentedSession } from '#shared/access/change-sign-ins';
import { readCredential } from '#shared/access/credential-text';
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

/** Does nothing without an existing session, so it can be repeated. */
export async function deleteSession(
  credential: string | undefined,
  signingIn: TableAndClock,
): Promise<void> {
  const presented = credential === undefined ? undefined : readCredential(credential);
  if (presented?.kind === 'session') await endPresentedSession(presented, signingIn);
}
