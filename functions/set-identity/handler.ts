import { identityEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { requestSchema, responseSchema } from './schema.ts';
import { setIdentity } from './set-identity.ts';

const management = openIdentityManagement(parseEnvironment(identityEnvironment));

export const handler = jsonEndpoint(async ({ readBody, headers, log }) => {
  const identity = await setIdentity(
    presentedCredential(headers),
    () => parseBody(requestSchema, readBody()),
    management,
    log,
  );
  return jsonResponse(responseSchema.parse(identity));
});
