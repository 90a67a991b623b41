import { openSigningIn } from '#shared/access/change-sign-ins';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { sessionCookie } from '#shared/http/session-cookie';
import { openTable } from '#shared/table/table-client';
import { createSession } from './create-session.ts';
import { endpoint } from './endpoint.ts';

const signingIn = openSigningIn(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

/** A form of another site cannot sign anybody in: it sends no JSON without asking first, and nobody allows it. */
export const handler = jsonEndpoint(async ({ readBody }) => {
  const { text, expiresAt } = await createSession(parseBody(endpoint.body, readBody()), signingIn);
  const cookie = sessionCookie(text, expiresAt, signingIn.now());
  return { ...noContentResponse, headers: { 'Set-Cookie': cookie } };
});
