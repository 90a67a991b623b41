import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { deleteIdentity } from './delete-identity.ts';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openIdentityManagement, deleteIdentity);
