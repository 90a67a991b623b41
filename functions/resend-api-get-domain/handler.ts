import { openIdentityManagement } from '#shared/identity/identity-management';
import { readDomain } from '#shared/identity/set-domain';
import { showDomain } from '#shared/identity/show-identity';
import { toResendDomain } from '#shared/resend/domains';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openIdentityManagement,
  async ({ caller, path }, reading) =>
    toResendDomain(
      await showDomain(await readDomain(caller.organizationId, path.id, reading), reading),
    ),
);
