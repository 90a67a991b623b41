import { openSigningIn } from '#shared/access/change-sign-ins';
import { WithHeaders } from '#shared/endpoints/endpoint';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { sessionCookie } from '#shared/http/session-cookie';
import { confirmSession } from './confirm-session.ts';
import { endpoint } from './endpoint.ts';

export const handler = serveUnadmitted(endpoint, openSigningIn, async (request, signingIn) => {
  const { text, expiresAt, confirmedUntil } = await confirmSession(request, signingIn);
  const cookie = sessionCookie(text, expiresAt, signingIn.now());
  return new WithHeaders({ confirmedUntil }, { 'Set-Cookie': cookie });
});
