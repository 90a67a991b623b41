import {
  identityEnvironment,
  limitsEnvironment,
  parseEnvironment,
} from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { createDomain } from '#shared/identity/set-domain';
import { toNewDomain, toResendDomain } from '#shared/resend/domains';
import { renderManagementError } from '#shared/resend/resend-error';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(identityEnvironment);
const creating = {
  ...openIdentityManagement(environment),
  limitsOfDeployment: parseEnvironment(limitsEnvironment).ORGANIZATION_LIMITS,
};

export const handler = serve(
  endpoint,
  creating,
  async ({ body, ...request }, management) => {
    const asOurs = { ...request, body: toNewDomain(body, environment.AWS_REGION) };
    return toResendDomain(await createDomain(asOurs, management));
  },
  renderManagementError,
);
