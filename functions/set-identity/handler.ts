import { identityEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { endpoint } from './endpoint.ts';
import { setIdentity } from './set-identity.ts';

const management = openIdentityManagement(parseEnvironment(identityEnvironment));

export const handler = jsonEndpoint(async ({ readBody, headers, log }) => {
  const identity = await setIdentity(
    presentedCredential(headers),
    () => parseBody(endpoint.body, readBody()),
    management,
    log,
  );
  return jsonResponse(endpoint.answers[200].body.parse(identity));
});
