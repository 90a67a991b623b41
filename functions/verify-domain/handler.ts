import { identityEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { endpoint } from './endpoint.ts';
import { verifyDomain } from './verify-domain.ts';

const management = openIdentityManagement(parseEnvironment(identityEnvironment));

export const handler = serve(endpoint, management, verifyDomain);
