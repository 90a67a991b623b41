import { openIdentityManagement } from '#shared/identity/identity-management';
import { createDomain } from '#shared/identity/set-domain';
import { toNewDomain, toResendDomain } from '#shared/resend/domains';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  (table, environment) => ({
    ...openIdentityManagement(table, environment),
    region: environment.AWS_REGION,
  }),
  async ({ body, ...request }, { region, ...management }) => {
    const asOurs = { ...request, body: toNewDomain(body, region) };
    return toResendDomain(await createDomain(asOurs, management));
  },
);
