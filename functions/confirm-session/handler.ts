import { openSigningIn } from '#shared/access/change-sign-ins';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { WithHeaders } from '#shared/endpoints/answer';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { sessionCookie } from '#shared/http/credential';
import { openTable } from '#shared/table/table-client';
import { confirmSession } from './confirm-session.ts';
import { endpoint } from './endpoint.ts';

const signingIn = openSigningIn(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serveUnadmitted(endpoint, signingIn, async (request) => {
  const { text, expiresAt, confirmedUntil } = await confirmSession(request, signingIn);
  const cookie = sessionCookie(text, expiresAt, signingIn.now());
  return new WithHeaders({ confirmedUntil }, { 'Set-Cookie': cookie });
});
