import { openIdentityStore } from '#shared/identity/identity-store';
import { listDomains } from '#shared/identity/identity-view';
import { toListedResendDomain } from '#shared/resend/domains';
import { pageOf } from '#shared/resend/list-page';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  (table, { AWS_REGION: region }) => ({ identities: openIdentityStore(table), region }),
  async ({ caller, query }, { identities, region }) => {
    const all = await identities.readAll(caller.organizationId);
    const domains = listDomains(all, undefined);
    return pageOf(
      domains.map((domain) => toListedResendDomain(domain, region)),
      query,
    );
  },
);
