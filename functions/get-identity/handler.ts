import { identityEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { getIdentity } from './get-identity.ts';
import { responseSchema } from './schema.ts';

const management = openIdentityManagement(parseEnvironment(identityEnvironment));

export const handler = bodilessEndpoint(async ({ headers }) =>
  jsonResponse(responseSchema.parse(await getIdentity(presentedCredential(headers), management))),
);
