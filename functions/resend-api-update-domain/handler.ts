import { openIdentityStore } from '#shared/identity/identity-store';
import { readDomain } from '#shared/identity/set-domain';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  { identities: openIdentityStore },
  async ({ caller, path: { id } }, management) => {
    await readDomain(caller.organizationId, id, management);
    return { object: 'domain' as const, id };
  },
);
