import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { readDomain } from '#shared/identity/set-domain';
import { showDomain } from '#shared/identity/show-identity';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openIdentityManagement, async ({ caller, path }, reading) =>
  showDomain(await readDomain(caller.organizationId, path.domain, reading), reading),
);
