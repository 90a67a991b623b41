import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { verifyDomain } from '#shared/identity/set-domain';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openIdentityManagement, verifyDomain);
