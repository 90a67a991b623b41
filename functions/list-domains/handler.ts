import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openIdentityStore } from '#shared/identity/identity-store';
import { listDomains } from '#shared/identity/identity-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = { ...openAuthentication(table), identities: openIdentityStore(table) };

export const handler = serve(
  endpoint,
  reading,
  async ({ caller: { organizationId } }, { identities }) => {
    const [{ organization }, all] = await Promise.all([
      identities.read(organizationId),
      identities.readAll(organizationId),
    ]);
    return { data: listDomains(all, organization), nextCursor: null };
  },
);
