import { openSigningIn } from '#shared/access/change-sign-ins';
import { WithHeaders } from '#shared/endpoints/endpoint';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { noSessionCookie } from '#shared/http/session-cookie';
import { deleteSession } from './delete-session.ts';
import { endpoint } from './endpoint.ts';

export const handler = serveUnadmitted(
  endpoint,
  openSigningIn,
  async ({ credential }, signingIn) => {
    await deleteSession(credential, signingIn);
    return new WithHeaders(undefined, { 'Set-Cookie': noSessionCookie() });
  },
);
