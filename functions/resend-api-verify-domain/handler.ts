import { openIdentityManagement } from '#shared/identity/identity-management';
import { verifyDomain } from '#shared/identity/set-domain';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openIdentityManagement,
  async ({ path: { id }, ...request }, verifying) => {
    await verifyDomain({ ...request, path: { domain: id } }, verifying);
    return { object: 'domain' as const, id };
  },
);
