import { identityEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { verifyDomain } from '#shared/identity/set-domain';
import { renderManagementError } from '#shared/resend/resend-error';
import { endpoint } from './endpoint.ts';

const management = openIdentityManagement(parseEnvironment(identityEnvironment));

export const handler = serve(
  endpoint,
  management,
  async ({ path: { id }, ...request }, verifying) => {
    await verifyDomain({ ...request, path: { domain: id } }, verifying);
    return { object: 'domain' as const, id };
  },
  renderManagementError,
);
