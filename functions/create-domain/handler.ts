import {
  identityEnvironment,
  limitsEnvironment,
  parseEnvironment,
} from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { createDomain } from '#shared/identity/set-domain';
import { endpoint } from './endpoint.ts';

const creating = {
  ...openIdentityManagement(parseEnvironment(identityEnvironment)),
  limitsOfDeployment: parseEnvironment(limitsEnvironment).ORGANIZATION_LIMITS,
};

export const handler = serve(endpoint, creating, createDomain);
