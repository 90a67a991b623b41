import { identityEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { readDomain } from '#shared/identity/set-domain';
import { showDomain } from '#shared/identity/show-identity';
import { toResendDomain } from '#shared/resend/domains';
import { renderManagementError } from '#shared/resend/resend-error';
import { endpoint } from './endpoint.ts';

const management = openIdentityManagement(parseEnvironment(identityEnvironment));

export const handler = serve(
  endpoint,
  management,
  async ({ caller, path }, reading) =>
    toResendDomain(
      await showDomain(await readDomain(caller.organizationId, path.id, reading), reading),
    ),
  renderManagementError,
);
