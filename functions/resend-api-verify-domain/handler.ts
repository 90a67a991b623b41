import { identityEnvironment, parseEnvironment } from '#shared/config/environment';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { verifyDomain } from '#shared/identity/set-domain';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

const management = openIdentityManagement(parseEnvironment(identityEnvironment));

export const handler = serveResend(
  endpoint,
  management,
  async ({ path: { id }, ...request }, verifying) => {
    await verifyDomain({ ...request, path: { domain: id } }, verifying);
    return { object: 'domain' as const, id };
  },
);
