import { openSigningIn } from '#shared/access/change-sign-ins';
import { WithHeaders } from '#shared/endpoints/endpoint';
import { serve } from '#shared/endpoints/serve';
import { sessionCookie } from '#shared/http/session-cookie';
import { createSession } from './create-session.ts';
import { endpoint } from './endpoint.ts';

/** A form on another site can't sign anyone in: sending JSON needs a preflight, which nothing here answers. */
export const handler = serve(endpoint, openSigningIn, async ({ body }, signingIn) => {
  const { text, expiresAt } = await createSession(body, signingIn);
  const cookie = sessionCookie(text, expiresAt, signingIn.now());
  return new WithHeaders(undefined, { 'Set-Cookie': cookie });
});
