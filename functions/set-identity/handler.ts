import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { endpoint } from './endpoint.ts';
import { setIdentity } from './set-identity.ts';

export const handler = serve(endpoint, openIdentityManagement, setIdentity);
