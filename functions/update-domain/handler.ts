import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { endpoint } from './endpoint.ts';
import { updateDomain } from './update-domain.ts';

export const handler = serve(endpoint, openIdentityManagement, updateDomain);
