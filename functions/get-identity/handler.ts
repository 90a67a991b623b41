import { identityEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { endpoint } from './endpoint.ts';
import { getIdentity } from './get-identity.ts';

const management = openIdentityManagement(parseEnvironment(identityEnvironment));

export const handler = bodilessEndpoint(async ({ headers }) =>
  jsonResponse(
    endpoint.answers[200].body.parse(await getIdentity(presentedCredential(headers), management)),
  ),
);
