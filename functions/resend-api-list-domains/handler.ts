import { openAuthentication } from '#shared/access/authenticate';
import { accountEnvironment, parseEnvironment } from '#shared/config/environment';
import { openIdentityStore } from '#shared/identity/identity-store';
import { listDomains } from '#shared/identity/identity-view';
import { toListedResendDomain } from '#shared/resend/domains';
import { pageOf } from '#shared/resend/list-page';
import { serveResend } from '#shared/resend/serve-resend';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const { TABLE_NAME, AWS_REGION: region } = parseEnvironment(accountEnvironment);
const table = openTable(TABLE_NAME);
const reading = { ...openAuthentication(table), identities: openIdentityStore(table) };

export const handler = serveResend(endpoint, reading, async ({ caller, query }, { identities }) => {
  const all = await identities.readAll(caller.organizationId);
  const domains = listDomains(all, undefined);
  return pageOf(
    domains.map((domain) => toListedResendDomain(domain, region)),
    query,
  );
});
