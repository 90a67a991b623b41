import { openSigningIn } from '#shared/access/change-sign-ins';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { sessionCookie } from '#shared/http/session-cookie';
import { openTable } from '#shared/table/table-client';
import { confirmSession } from './confirm-session.ts';
import { endpoint } from './endpoint.ts';

const signingIn = openSigningIn(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = jsonEndpoint(async ({ readBody, headers }) => {
  const { text, expiresAt, confirmedUntil } = await confirmSession(
    presentedCredential(headers),
    () => parseBody(endpoint.body, readBody()),
    signingIn,
  );
  return jsonResponse(endpoint.answers[200].body.parse({ confirmedUntil }), {
    'Set-Cookie': sessionCookie(text, expiresAt, signingIn.now()),
  });
});
