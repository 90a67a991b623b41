import { openSigningIn } from '#shared/access/change-sign-ins';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { noSessionCookie } from '#shared/http/session-cookie';
import { openTable } from '#shared/table/table-client';
import { deleteSession } from './delete-session.ts';

const signingIn = openSigningIn(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers }) => {
  await deleteSession(presentedCredential(headers), signingIn);
  return { ...noContentResponse, headers: { 'Set-Cookie': noSessionCookie() } };
});
