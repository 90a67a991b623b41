import {
  identityEnvironment,
  limitsEnvironment,
  parseEnvironment,
} from '#shared/config/environment';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { createDomain } from '#shared/identity/set-domain';
import { toNewDomain, toResendDomain } from '#shared/resend/domains';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(identityEnvironment);
const creating = {
  ...openIdentityManagement(environment),
  limitsOfDeployment: parseEnvironment(limitsEnvironment).ORGANIZATION_LIMITS,
};

export const handler = serveResend(endpoint, creating, async ({ body, ...request }, management) => {
  const asOurs = { ...request, body: toNewDomain(body, environment.AWS_REGION) };
  return toResendDomain(await createDomain(asOurs, management));
});
