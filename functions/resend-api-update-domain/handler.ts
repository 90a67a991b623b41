import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openIdentityStore } from '#shared/identity/identity-store';
import { readDomain } from '#shared/identity/set-domain';
import { serveResend } from '#shared/resend/serve-resend';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = { ...openAuthentication(table), identities: openIdentityStore(table) };

export const handler = serveResend(
  endpoint,
  reading,
  async ({ caller, path: { id } }, management) => {
    await readDomain(caller.organizationId, id, management);
    return { object: 'domain' as const, id };
  },
);
