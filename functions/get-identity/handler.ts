import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { showIdentity } from '#shared/identity/show-identity';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openIdentityManagement, async ({ caller }, management) =>
  showIdentity(await management.identities.read(caller.organizationId), management),
);
