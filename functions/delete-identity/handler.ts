import { identityEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { deleteIdentity } from './delete-identity.ts';

const management = openIdentityManagement(parseEnvironment(identityEnvironment));

export const handler = bodilessEndpoint(async ({ headers, log }) => {
  await deleteIdentity(presentedCredential(headers), management, log);
  return noContentResponse;
});
