import { openIdentityManagement } from '#shared/identity/identity-management';
import { removeDomain } from '#shared/identity/set-domain';
import { deleted } from '#shared/resend/management';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openIdentityManagement,
  async ({ path: { id }, ...request }, removing) => {
    await removeDomain({ ...request, path: { domain: id } }, removing);
    return deleted('domain', id);
  },
);
