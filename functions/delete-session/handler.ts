import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { noSessionCookie } from '#shared/http/session-cookie';
import { openApiKeyStore } from '#shared/organizations/api-key-store';
import { openSignInStore } from '#shared/organizations/sign-in-store';
import { openTable } from '#shared/table/table-client';
import { deleteSession } from './delete-session.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const signingIn = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  signIns: openSignInStore(table),
};

export const handler = bodilessEndpoint(async ({ headers }) => {
  await deleteSession(presentedCredential(headers), signingIn);
  return { ...noContentResponse, headers: { 'Set-Cookie': noSessionCookie() } };
});
