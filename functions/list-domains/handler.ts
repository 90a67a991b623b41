import { serve } from '#shared/endpoints/serve';
import { openIdentityStore } from '#shared/identity/identity-store';
import { listDomains } from '#shared/identity/identity-view';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  { identities: openIdentityStore },
  async ({ caller: { organizationId } }, { identities }) => {
    const [{ organization }, all] = await Promise.all([
      identities.read(organizationId),
      identities.readAll(organizationId),
    ]);
    return { data: listDomains(all, organization), nextCursor: null };
  },
);
