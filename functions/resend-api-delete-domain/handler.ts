import { identityEnvironment, parseEnvironment } from '#shared/config/environment';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { removeDomain } from '#shared/identity/set-domain';
import { deleted } from '#shared/resend/management';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

const management = openIdentityManagement(parseEnvironment(identityEnvironment));

export const handler = serveResend(
  endpoint,
  management,
  async ({ path: { id }, ...request }, removing) => {
    await removeDomain({ ...request, path: { domain: id } }, removing);
    return deleted('domain', id);
  },
);
