import { openSigningIn } from '#shared/access/change-sign-ins';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { WithHeaders } from '#shared/endpoints/answer';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { noSessionCookie } from '#shared/http/credential';
import { openTable } from '#shared/table/table-client';
import { deleteSession } from './delete-session.ts';
import { endpoint } from './endpoint.ts';

const signingIn = openSigningIn(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serveUnadmitted(endpoint, signingIn, async ({ credential }) => {
  await deleteSession(credential, signingIn);
  return new WithHeaders(undefined, { 'Set-Cookie': noSessionCookie() });
});
