import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { endpoint } from './endpoint.ts';
import { getIdentity } from './get-identity.ts';

export const handler = serve(endpoint, openIdentityManagement, getIdentity);
